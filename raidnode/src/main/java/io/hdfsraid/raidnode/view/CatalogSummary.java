package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Space;
import io.hdfsraid.raidapi.Status;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.Total;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The numbers of the catalog that {@code status} shows. */
public final class CatalogSummary {
  private static final Set<FileStatus> PROTECTED =
      Set.of(FileStatus.COMMITTED, FileStatus.REDUCED, FileStatus.RAIDED);

  private final Catalog catalog;

  public CatalogSummary(Catalog catalog) {
    this.catalog = catalog;
  }

  /** How many files are in which state. */
  public Map<FileState, Long> files() {
    Map<FileState, Long> files = new EnumMap<>(FileState.class);
    for (Total total : catalog.totals()) {
      files.merge(FileState.valueOf(total.status().name()), total.files(), Long::sum);
    }
    return files;
  }

  /** How many files are left for which reason. */
  public Map<String, Long> left() {
    Map<String, Long> left = new TreeMap<>();
    for (Total total : catalog.totals()) {
      if (total.status() == FileStatus.LEFT) {
        left.merge(total.reason().map(Enum::name).orElse(""), total.files(), Long::sum);
      }
    }
    return left;
  }

  /** Where the bytes of the files with parity are, as the last scan saw their replication. */
  public Space space() {
    List<Total> raided =
        catalog.totals().stream().filter(total -> PROTECTED.contains(total.status())).toList();
    long parity = raided.stream().mapToLong(Total::parityBytes).sum();
    return new Space(
        raided.stream().mapToLong(Total::bytes).sum(),
        raided.stream().mapToLong(Total::physicalBytes).sum() + parity,
        parity,
        raided.stream().mapToLong(Total::savedBytes).sum());
  }

  /** Stripes in the repair ledger. */
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
}
