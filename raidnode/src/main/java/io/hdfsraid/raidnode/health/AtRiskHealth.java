// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairState;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Checks that no stripe tolerates no further loss for long. Such a stripe is repaired before all
 * others, and a failed repair is tried again within ten minutes, so one that stays needs a person.
 */
public final class AtRiskHealth extends HealthCheck {
  static final Duration LONGEST = Duration.ofHours(1);

  private final RepairLedger repairs;
  private final Clock clock;

  public AtRiskHealth(RepairLedger repairs, Clock clock) {
    this.repairs = repairs;
    this.clock = clock;
  }

  @Override
  protected Result check() {
    Optional<RepairState> longest = repairs.longestAtRisk();
    Duration exposed =
        longest
            .map(stripe -> Duration.between(stripe.damage().inDangerSince(), clock.instant()))
            .orElse(Duration.ZERO);
    return exposed.compareTo(LONGEST) <= 0
        ? Result.healthy()
        : Result.unhealthy(
            "A stripe has tolerated no further loss for %d minutes. raidshell repairs lists those at risk first, and says why they are not repaired",
            exposed.toMinutes());
  }
}
