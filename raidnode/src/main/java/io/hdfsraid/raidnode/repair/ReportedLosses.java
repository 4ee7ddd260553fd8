// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

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
 * Finds the new entries in the NameNode's list of losses since the list was last read. In a cluster
 * with many losses most entries are known, or are not raided files. The list has paths and no
 * blocks, so an unchanged number of entries may hide new losses. This is assumed if some of the
 * known losses have been repaired meanwhile. Safe for concurrent use.
 */
final class ReportedLosses {
  /** A repaired loss may have been missed, so from time to time all entries count as new. */
  private static final Duration BELIEVED = Duration.ofMinutes(10);

  /** With more entries than this all count as new, until the list is read again. */
  private static final int MOST_MENDED = 100_000;

  // All guarded by this.
  private Map<String, Known> known = new HashMap<>();
  private Instant begun = Instant.EPOCH;

  /** Ids of parity with losses repaired since the last reading of the list began. */
  private Set<Long> mended = new HashSet<>();

  /** Ids of parity with losses repaired between the last two readings. */
  private Set<Long> mendedBefore = Set.of();

  /**
   * A listed path.
   *
   * @param blocks how often it was listed
   * @param parity id of the parity that protects it; empty if there is none, or if it was not
   *     looked up
   */
  private record Known(int blocks, Optional<Long> parity) {}

  /**
   * Begins a reading of the list. A loss that is repaired from now on may still be listed, so it
   * counts for this reading and the next.
   */
  synchronized void beginReading() {
    mendedBefore = mended;
    mended = new HashSet<>();
  }

  /**
   * Returns the paths to check.
   *
   * @param listed number of lost blocks listed for each path
   */
  synchronized List<String> news(Map<String, Integer> listed, Instant now) {
    if (!begun.plus(BELIEVED).isAfter(now) || begun.isAfter(now)) {
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

  /** Records that this path was checked and is protected by the parity with this id. */
  synchronized void belongs(String path, long parity) {
    known.computeIfPresent(path, (same, found) -> new Known(found.blocks(), Optional.of(parity)));
  }

  /** Records that a loss of this parity was repaired. */
  synchronized void mended(long parity) {
    if (mended.size() < MOST_MENDED) {
      mended.add(parity);
    } else {
      known = new HashMap<>();
    }
  }

  /** Records that this path could not be checked, so that it counts as new again. */
  synchronized void forget(String path) {
    known.remove(path);
  }
}
