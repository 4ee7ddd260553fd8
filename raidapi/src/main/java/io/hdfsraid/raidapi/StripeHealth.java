package io.hdfsraid.raidapi;

import java.util.List;

/**
 * One stripe and what it can bear.
 *
 * @param dataUnits how many data units exist, at most the k of the code: a last stripe has fewer
 * @param lost positions of lost units, data first
 * @param canBear further losses that can always be rebuilt, whichever units they hit; -1 when it is
 *     unrecoverable already
 * @param units where each unit is; may be empty in long reports
 */
public record StripeHealth(
    int stripe,
    HealthState state,
    int dataUnits,
    int parityUnits,
    List<Integer> lost,
    int canBear,
    List<UnitView> units) {
  public StripeHealth {
    lost = Absent.toEmpty(lost);
    units = Absent.toEmpty(units);
    if (canBear < -1 || canBear > parityUnits) {
      throw new IllegalArgumentException(
          "A stripe with %d parity units cannot bear %d losses".formatted(parityUnits, canBear));
    }
  }
}
