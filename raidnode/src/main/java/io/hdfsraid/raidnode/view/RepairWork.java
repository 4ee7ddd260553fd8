package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.RepairProgress;
import io.hdfsraid.raidapi.StormView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.rounds.RepairRound;
import io.hdfsraid.raidnode.rounds.StormBreaker;
import io.hdfsraid.raidnode.rounds.StormBreaker.Storm;

/** How repairs go, as the API tells it. */
public final class RepairWork {
  private final Catalog catalog;
  private final RepairRound round;
  private final StormBreaker storms;

  public RepairWork(Catalog catalog, RepairRound round, StormBreaker storms) {
    this.catalog = catalog;
    this.round = round;
    this.storms = storms;
  }

  /** Of now. */
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

  /** What will be repaired by itself. */
  private long backlog() {
    return catalog.repairs().count(RepairStatus.WAITING)
        + catalog.repairs().count(RepairStatus.RUNNING)
        + catalog.repairs().count(RepairStatus.POSTPONED);
  }

  public static StormView view(Storm storm) {
    return new StormView(storm.since(), storm.why());
  }
}
