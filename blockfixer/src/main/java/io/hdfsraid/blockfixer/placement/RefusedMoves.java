// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.Block;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the moves that DataNodes have refused, for example because a block is pinned, a volume
 * is full, or there are too many moves. Each refusal doubles the backoff, from a minute up to a
 * day. Remembers the last {@link #MOST} blocks; a forgotten block is tried once more. Safe for
 * concurrent use.
 */
public final class RefusedMoves {
  static final int MOST = 100_000;
  private static final Duration FIRST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int DOUBLINGS = 11;

  private final InstantSource clock;
  private final Map<Long, Refusal> refusals = new LinkedHashMap<>();

  /**
   * A refusal.
   *
   * @param times number of refusals in a row
   * @param reason the message of the DataNode
   * @param until when the move may be tried again
   */
  public record Refusal(int times, String reason, Instant until) {}

  public RefusedMoves(InstantSource clock) {
    this.clock = clock;
  }

  /** Records that the move of this block was refused again. */
  public synchronized Refusal refused(Block block, String reason) {
    int times = Optional.ofNullable(refusals.remove(block.id())).map(Refusal::times).orElse(0) + 1;
    Duration pause = FIRST.multipliedBy(1L << Math.min(DOUBLINGS, times - 1));
    Refusal refusal =
        new Refusal(
            times, reason, clock.instant().plus(pause.compareTo(LONGEST) < 0 ? pause : LONGEST));
    refusals.put(block.id(), refusal);
    if (refusals.size() > MOST) {
      refusals.remove(refusals.keySet().iterator().next());
    }
    return refusal;
  }

  /** Records that the block was moved. */
  public synchronized void moved(Block block) {
    refusals.remove(block.id());
  }

  /** Returns the refusal that still counts; empty if the block may be moved. */
  public synchronized Optional<Refusal> of(Block block) {
    return Optional.ofNullable(refusals.get(block.id()))
        .filter(refusal -> isBefore(clock.instant(), refusal.until()));
  }

  /** A time further away than any pause comes from a clock that was set back since. */
  private static boolean isBefore(Instant now, Instant until) {
    return now.isBefore(until) && !until.isAfter(now.plus(LONGEST));
  }
}
