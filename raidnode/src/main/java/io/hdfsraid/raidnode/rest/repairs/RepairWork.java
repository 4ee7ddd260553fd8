// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.repairs;

import io.hdfsraid.raidapi.repairs.RepairProgress;
import io.hdfsraid.raidapi.repairs.RepairStorm;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.repair.RepairJob;
import io.hdfsraid.raidnode.repair.StormBreaker;
import io.hdfsraid.raidnode.repair.StormBreaker.Storm;

/** Reports the progress of repairs as a record of the API. */
public final class RepairWork {
  private final Catalog catalog;
  private final RepairJob round;
  private final StormBreaker storms;

  public RepairWork(Catalog catalog, RepairJob round, StormBreaker storms) {
    this.catalog = catalog;
    this.round = round;
    this.storms = storms;
  }

  /** Returns the progress now. */
  public RepairProgress progress() {
    return new RepairProgress(
        round.pace().perMinute(),
        round.pace().bytesPerSecond(),
        round.pace().end(backlog()),
        round.tally().byLosses().entrySet().stream()
            .map(
                entry ->
                    new RepairProgress.Cost(
                        entry.getKey(), entry.getValue().stripes(), entry.getValue().bytesRead()))
            .toList(),
        storms.current().map(RepairWork::view));
  }

  /** Returns the number of stripes whose repair waits for nothing but its turn. */
  private long backlog() {
    return catalog.repairs().count(RepairStatus.WAITING)
        + catalog.repairs().count(RepairStatus.RUNNING);
  }

  public static RepairStorm view(Storm storm) {
    return new RepairStorm(storm.since(), storm.why());
  }
}
