// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Objects;

/**
 * The place of a stripe in the order of repairs; the smallest comes first.
 *
 * @param furtherLosses number of further losses that the stripe is certain to tolerate
 * @param since since when the stripe is in this danger
 */
public record Urgency(int furtherLosses, Instant since, StripeKey stripe)
    implements Comparable<Urgency> {
  private static final Comparator<Urgency> ORDER =
      Comparator.comparingInt(Urgency::furtherLosses)
          .thenComparing(Urgency::since)
          .thenComparing(Urgency::stripe);

  public Urgency {
    Objects.requireNonNull(stripe, "stripe");
    since = since.truncatedTo(ChronoUnit.MILLIS);
  }

  public static Urgency of(RepairState repair) {
    return new Urgency(repair.furtherLosses(), repair.damage().inDangerSince(), repair.stripe());
  }

  @Override
  public int compareTo(Urgency other) {
    return ORDER.compare(this, other);
  }
}
