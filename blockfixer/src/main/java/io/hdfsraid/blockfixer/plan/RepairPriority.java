package io.hdfsraid.blockfixer.plan;

import java.time.Instant;
import java.util.Comparator;

/**
 * Which stripe is repaired first: the one that bears fewest further losses, then the one that has
 * been exposed longest. The smallest comes first.
 *
 * @param lostSince when the first of its present losses was noticed
 */
public record RepairPriority(int furtherLosses, Instant lostSince)
    implements Comparable<RepairPriority> {
  private static final Comparator<RepairPriority> ORDER =
      Comparator.comparingInt(RepairPriority::furtherLosses)
          .thenComparing(RepairPriority::lostSince);

  /** One more loss may be one too many. */
  public boolean atRisk() {
    return furtherLosses <= 0;
  }

  @Override
  public int compareTo(RepairPriority other) {
    return ORDER.compare(this, other);
  }
}
