// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairStatus;

/** Checks that no stripe is in a state that it does not leave without a person. */
public final class RepairsHealth extends HealthCheck {
  private final RepairLedger repairs;
  private final RepairStatus state;
  private final String whatToDo;

  private RepairsHealth(RepairLedger repairs, RepairStatus state, String whatToDo) {
    this.repairs = repairs;
    this.state = state;
    this.whatToDo = whatToDo;
  }

  /** Checks that nothing has lost more than can be rebuilt. */
  public static HealthCheck unrecoverable(RepairLedger repairs) {
    return new RepairsHealth(
        repairs,
        RepairStatus.UNRECOVERABLE,
        "They have lost more units than can be rebuilt; raidshell fsck names the files");
  }

  /** Checks that no repair was set aside after repeated failure. */
  public static HealthCheck parked(RepairLedger repairs) {
    return new RepairsHealth(
        repairs, RepairStatus.PARKED, "Their repair was set aside; raidshell repairs says why");
  }

  @Override
  protected Result check() {
    long stripes = repairs.count(state);
    return stripes == 0
        ? Result.healthy()
        : Result.unhealthy("Stripes that are %s: %d. %s", state, stripes, whatToDo);
  }
}
