package io.hdfsraid.raidnode.rounds;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is new in the NameNode's list of losses since it was last read: of a cluster that has lost
 * much, most is known already, or is not ours. The list has paths and no blocks, so as many as
 * before may be other ones: they are when some of those that were known are lost no more. Safe for
 * concurrent use.
 */
final class ReportedLosses {
  /** What was lost and is not may not have been written down, so all counts as new now and then. */
  private static final Duration BELIEVED = Duration.ofMinutes(10);

  /** With more than that nothing counts as known, until the list is read again. */
  private static final int MOST_MENDED = 100_000;

  // All guarded by this.
  private Map<String, Known> known = new HashMap<>();
  private Instant begun = Instant.EPOCH;

  /** Ids of parity of which losses were mended since the list was last begun to be read. */
  private Set<Long> mended = new HashSet<>();

  /** Likewise, between that and the time before. */
  private Set<Long> mendedBefore = Set.of();

  /**
   * A path that was listed.
   *
   * @param blocks how often
   * @param parity id of what protects it; empty when nothing does, or nobody has looked
   */
  private record Known(int blocks, Optional<Long> parity) {}

  /**
   * The list is about to be read. What is mended from now on may be on it as lost, so it counts at
   * this reading and at the next.
   */
  synchronized void beginReading() {
    mendedBefore = mended;
    mended = new HashSet<>();
  }

  /**
   * The paths to look at.
   *
   * @param listed how many blocks are listed as lost of each path
   */
  synchronized List<String> news(Map<String, Integer> listed, Instant now) {
    if (!begun.plus(BELIEVED).isAfter(now)) {
      known = new HashMap<>();
      begun = now;
    }
    List<String> news = new ArrayList<>();
    Map<String, Known> next = new HashMap<>();
    listed.forEach(
        (path, blocks) -> {
          Known before = known.get(path);
          if (before != null && before.blocks() == blocks && !isMended(before)) {
            next.put(path, before);
          } else {
            news.add(path);
            next.put(path, new Known(blocks, Optional.empty()));
          }
        });
    known = next;
    return news;
  }

  private boolean isMended(Known path) {
    return path.parity().filter(id -> mended.contains(id) || mendedBefore.contains(id)).isPresent();
  }

  /** This path was looked at, and is protected by the parity with this id. */
  synchronized void belongs(String path, long parity) {
    known.computeIfPresent(path, (same, found) -> new Known(found.blocks(), Optional.of(parity)));
  }

  /** Something that was lost of what this parity protects is not any more. */
  synchronized void mended(long parity) {
    if (mended.size() < MOST_MENDED) {
      mended.add(parity);
    } else {
      known = new HashMap<>();
    }
  }

  /** This one could not be looked at; it is new again. */
  synchronized void forget(String path) {
    known.remove(path);
  }
}
