// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.placement.AuditProgress;
import io.hdfsraid.raidapi.status.ReheatCost;
import io.hdfsraid.raidapi.status.Space;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import io.hdfsraid.raidnode.rest.placement.PlacementAudits;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads the numbers of {@code status} from the catalog. */
public final class CatalogSummary {
  private static final Set<FileState> PROTECTED =
      Set.of(FileState.COMMITTED, FileState.REDUCED, FileState.RAIDED);

  private final Catalog catalog;
  private final Supplier<Optional<ExcessReplicas>> excess;

  /**
   * Creates a summary.
   *
   * @param excess looks up the replicas of raided files that HDFS has not dropped yet
   */
  public CatalogSummary(Catalog catalog, Supplier<Optional<ExcessReplicas>> excess) {
    this.catalog = catalog;
    this.excess = excess;
  }

  /** Returns the number of files in each state. */
  public Map<FileState, Long> files() {
    Map<FileState, Long> files = new EnumMap<>(FileState.class);
    for (Total total : catalog.totals()) {
      files.merge(total.state(), total.files(), Long::sum);
    }
    return files;
  }

  /**
   * Returns the number of skipped files for each reason. A file that was just unraided has none
   * before the next scan has judged it.
   */
  public Map<String, Long> skipped() {
    Map<String, Long> skipped = new TreeMap<>();
    for (Total total : catalog.totals()) {
      if (total.state() == FileState.LEFT) {
        total.reason().ifPresent(reason -> skipped.merge(reason.name(), total.files(), Long::sum));
      }
    }
    return skipped;
  }

  /**
   * Returns the bytes of files with parity, by the replication that the last scan saw. What HDFS
   * has not dropped yet is not saved.
   */
  public Space space() {
    List<Total> raided =
        catalog.totals().stream().filter(total -> PROTECTED.contains(total.state())).toList();
    long parity = raided.stream().mapToLong(Total::parityBytes).sum();
    long kept = excess.get().map(ExcessReplicas::bytes).orElse(0L);
    return new Space(
        raided.stream().mapToLong(Total::bytes).sum(),
        raided.stream().mapToLong(Total::physicalBytes).sum() + parity + kept,
        parity,
        raided.stream().mapToLong(Total::savedBytes).sum() - kept);
  }

  /** Returns the numbers of stripes in the repair ledger. */
  public Status.Repairs repairs() {
    RepairLedger ledger = catalog.repairs();
    return new Status.Repairs(
        ledger.count(RepairStatus.WAITING),
        ledger.count(RepairStatus.RUNNING),
        ledger.count(RepairStatus.POSTPONED),
        ledger.count(RepairStatus.PARKED),
        ledger.count(RepairStatus.UNRECOVERABLE),
        ledger.atRisk());
  }

  Optional<VanishedParity.Loss> vanishedParity() {
    return VanishedParity.current(catalog.notes());
  }

  Optional<Instant> lastScan() {
    return catalog.notes().instant(Notes.LAST_SCAN);
  }

  Optional<AuditProgress> placementAudit(Instant now) {
    return PlacementAudits.last(catalog, now);
  }

  /** Returns the cost so far of files that were used again after they were raided. */
  ReheatCost reheatCost() {
    return catalog.reheatCosts().now();
  }
}
