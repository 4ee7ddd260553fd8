// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.health;

import io.hdfsraid.raidapi.Absent;
import java.util.List;

/**
 * The health of one stripe.
 *
 * @param dataUnits number of existing data units, at most the k of the code; the last stripe of a
 *     file may have fewer
 * @param lost positions of lost units, data first
 * @param furtherLosses number of further losses that can be rebuilt whichever units they hit; -1 if
 *     the stripe is unrecoverable
 * @param units where each unit is; may be empty in long reports
 */
public record StripeReport(
    int stripe,
    HealthState state,
    int dataUnits,
    int parityUnits,
    List<Integer> lost,
    int furtherLosses,
    List<UnitReport> units) {
  public StripeReport {
    lost = Absent.toEmpty(lost);
    units = Absent.toEmpty(units);
    if (furtherLosses < -1 || furtherLosses > parityUnits) {
      throw new IllegalArgumentException(
          "A stripe with %d parity units cannot tolerate %d losses"
              .formatted(parityUnits, furtherLosses));
    }
  }
}
