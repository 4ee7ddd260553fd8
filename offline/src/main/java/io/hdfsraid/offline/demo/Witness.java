package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.detect.Source;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.raid.Outcome;
import io.hdfsraid.raidnode.rounds.RaidEvents;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** Remembers what the rounds tell. Safe for concurrent use. */
final class Witness implements RaidEvents {
  private final Map<Long, Source> detections = new LinkedHashMap<>();
  private final Set<Long> repairedBlocks = new HashSet<>();
  private final SortedMap<Integer, DemoReport.Repairs> repairs = new TreeMap<>();
  private long unitsMoved;
  private volatile Optional<LongConsumer> progress = Optional.empty();

  /** Who hears of bytes, encoded or rebuilt, from now on. */
  void tell(LongConsumer listener) {
    progress = Optional.of(listener);
  }

  void tellNobody() {
    progress = Optional.empty();
  }

  @Override
  public void encoded(long inode, long bytes) {
    progress.ifPresent(listener -> listener.accept(bytes));
  }

  @Override
  public synchronized void worked(String action, FileRecord file, Outcome outcome) {
    unitsMoved += outcome.unitsMoved();
  }

  @Override
  public synchronized void found(StripeHealth health) {
    for (Finding finding : health.findings()) {
      if (health.lost().contains(finding.unit())) {
        detections.putIfAbsent(finding.block().id(), finding.source());
      }
    }
  }

  @Override
  public synchronized void repaired(RepairOutcome outcome, int losses) {
    if (outcome instanceof RepairOutcome.Repaired repaired) {
      for (PlannedDelivery delivery : repaired.delivered()) {
        repairedBlocks.add(delivery.block().id());
      }
      count(losses, 1, repaired.bytesRead());
      progress.ifPresent(listener -> listener.accept(repaired.bytesWritten()));
    } else if (outcome instanceof RepairOutcome.Postponed postponed && postponed.bytesRead() > 0) {
      count(losses, 0, postponed.bytesRead());
    }
  }

  private void count(int losses, int stripes, long bytesRead) {
    repairs.merge(losses, new DemoReport.Repairs(stripes, bytesRead), DemoReport.Repairs::plus);
  }

  /** Who first told of each lost block. */
  synchronized Map<Long, Source> detections() {
    return new LinkedHashMap<>(detections);
  }

  synchronized int blocksRepaired() {
    return repairedBlocks.size();
  }

  synchronized SortedMap<Integer, DemoReport.Repairs> repairs() {
    return new TreeMap<>(repairs);
  }

  synchronized long unitsMoved() {
    return unitsMoved;
  }
}
