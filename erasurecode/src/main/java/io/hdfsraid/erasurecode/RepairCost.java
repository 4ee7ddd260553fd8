// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The cost of repairing a stripe that has lost a number of units at once: exact means over all
 * patterns of that many losses, each as likely as the others.
 *
 * @param losses how many units
 * @param patterns of so many losses there are
 * @param borne how many of them can be rebuilt
 * @param averageReads blocks read to rebuild all lost units of a stripe together, in the mean over
 *     the patterns that can be rebuilt
 */
public record RepairCost(int losses, long patterns, long borne, double averageReads) {
  /** More would take minutes. */
  private static final int MOST_PATTERNS = 20_000;

  /**
   * For every number of losses that is borne wherever they fall, as long as they fall in no more
   * than 20,000 patterns: wide codes are not counted to their end.
   */
  public static List<RepairCost> ofAll(ErasureCodec codec) {
    return IntStream.rangeClosed(1, codec.furtherLosses(UnitSet.none()))
        .takeWhile(losses -> patterns(codec.shape().units(), losses) <= MOST_PATTERNS)
        .mapToObj(losses -> of(codec, losses))
        .toList();
  }

  /** Of so many of the units; at most a few more than the limit. */
  private static long patterns(int units, int losses) {
    long patterns = 1;
    for (int i = 0; i < losses && patterns <= MOST_PATTERNS; i++) {
      patterns = patterns * (units - i) / (i + 1);
    }
    return patterns;
  }

  /**
   * For so many losses. Plans the repair of every pattern, which are hundreds or thousands: no
   * answer in between two questions of a user.
   *
   * @param losses 1 to m
   */
  public static RepairCost of(ErasureCodec codec, int losses) {
    if (losses < 1 || losses > codec.shape().parityUnits()) {
      throw new IllegalArgumentException(
          "A repair of %s rebuilds 1 to %d units, but got %d"
              .formatted(codec.name(), codec.shape().parityUnits(), losses));
    }
    Count count = new Count(codec);
    count.patterns(losses, 0, UnitSet.none());
    return new RepairCost(
        losses,
        count.patterns,
        count.borne,
        (double) count.chunksRead / count.borne / codec.subUnits());
  }

  private static final class Count {
    private final ErasureCodec codec;
    private final UnitSet all;
    private long patterns;
    private long borne;
    private long chunksRead;

    Count(ErasureCodec codec) {
      this.codec = codec;
      this.all = UnitSet.all(codec.shape());
    }

    /** All patterns of the lost units and {@code more} others that come after {@code first}. */
    void patterns(int more, int first, UnitSet lost) {
      if (more == 0) {
        patterns++;
        codec.recipe(lost, all.minus(lost), ReadCost.UNIFORM).ifPresent(this::count);
      }
      for (int unit = first; more > 0 && unit < codec.shape().units(); unit++) {
        patterns(more - 1, unit + 1, lost.with(unit));
      }
    }

    private void count(RebuildRecipe recipe) {
      borne++;
      chunksRead += recipe.reads().size();
    }
  }
}
