// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.upkeep.BlockReportJob;
import io.hdfsraid.raidnode.upkeep.ChangedFilesJob;
import io.hdfsraid.raidnode.upkeep.CleanUpJob;
import io.hdfsraid.raidnode.upkeep.MembershipCheckJob;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.upkeep.ReportedChanges;
import io.hdfsraid.raidnode.upkeep.UnraidedByHand;
import io.hdfsraid.raidnode.upkeep.WithdrawalJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.time.Clock;

/**
 * The jobs that bring raided files and their parity to the state they should have.
 *
 * @param mode whether the daemon raids, pauses or withdraws
 */
public record UpkeepWiring(
    OperatingMode mode,
    UnraidedByHand byHand,
    ReconcileJob reconciler,
    QuarantineJob quarantine,
    MembershipCheckJob membershipCheck,
    ChangedFilesJob changedFiles,
    PlacementJob placementAudit,
    BlockReportJob blockReports,
    WithdrawalJob withdrawal,
    CleanUpJob cleanUp) {

  /**
   * @param checking shared with the check of all stripes for losses
   */
  static UpkeepWiring of(SharedParts shared, RaidingWiring raiding, Workers checking) {
    Catalog catalog = shared.catalog();
    Clock clock = shared.clock();
    Pipelines pipelines = raiding.pipelines();
    ClusterAccess access = shared.cluster().access();
    // A pool of its own: raiding may last for hours, and reduced files must not wait for it.
    Workers reconciling =
        new Workers(
            shared.tuning().pools().add("raid-reconcile", tuning -> tuning.raiding().workers()));
    ReconcileJob reconciler =
        new ReconcileJob(
            catalog,
            pipelines.groupReconciler(),
            pipelines.fileReconciler(),
            pipelines.unraider(),
            reconciling,
            shared.journal(),
            clock);
    countUnaudited(catalog, reconciler, pipelines.unaudited());
    OperatingMode mode = new OperatingMode(catalog.notes(), clock);
    QuarantineJob quarantine =
        new QuarantineJob(pipelines.quarantine(), reconciler, catalog, shared.journal());
    // A pool of its own, for the first minute counts: what was appended has one replica.
    ReportedChanges reported = new ReportedChanges(catalog, clock);
    ChangedFilesJob changedFiles =
        new ChangedFilesJob(
            catalog,
            reported,
            access.namespace(),
            access.parity(),
            reconciler,
            new Workers(
                shared.tuning().pools().add("raid-changed", tuning -> tuning.raiding().workers())),
            shared.listeners().trouble(),
            clock);
    catalog.namespace().reportChangesTo(reported);
    UnraidedByHand byHand = new UnraidedByHand(catalog.files(), shared.cluster().marks());
    return new UpkeepWiring(
        mode,
        byHand,
        reconciler,
        quarantine,
        new MembershipCheckJob(access.parity(), reconciler),
        changedFiles,
        new PlacementJob(
            catalog,
            reconciler,
            checking,
            raiding.parityBytes(),
            shared.settings()::auditFilesPerSecond,
            PlacementJob.Pause::sleep,
            shared.listeners().events(),
            clock),
        new BlockReportJob(pipelines.reports()::all, shared.cluster().blockReports(), clock),
        new WithdrawalJob(
            mode,
            access.parity(),
            () -> {
              byHand.removeMarks();
              shared.cluster().removeRoot();
            },
            reconciler,
            quarantine,
            pipelines.abandonment(),
            catalog,
            reconciling,
            shared.journal()),
        new CleanUpJob(
            pipelines.janitor(), catalog, shared.journal(), shared.settings().history(), clock));
  }

  /**
   * Counts the stripes that an earlier daemon left unaudited. It must happen before this daemon
   * reduces anything: both count against one limit.
   */
  private static void countUnaudited(
      Catalog catalog, ReconcileJob reconciler, UnauditedStripes unaudited) {
    catalog
        .files()
        .withStatus(
            FileState.REDUCED,
            -1,
            file -> {
              if (file.progress().changesAt().isPresent()) {
                return true; // audited, and stuck
              }
              int stripes = file.parity().map(Parity::stripes).orElse(1);
              unaudited.found(reconciler.parityOf(file.inode()), stripes);
              return true;
            });
  }
}
