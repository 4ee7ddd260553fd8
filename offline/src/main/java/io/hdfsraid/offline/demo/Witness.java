package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.detect.Source;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.raid.Outcome;
import io.hdfsraid.raidnode.rounds.RaidEvents;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** Remembers what the rounds tell. Safe for concurrent use. */
final class Witness implements RaidEvents {
  private final Map<Long, Source> detections = new LinkedHashMap<>();
  private final Set<Long> repairedBlocks = new HashSet<>();
  private final Map<StripeKey, List<Pass>> passes = new LinkedHashMap<>();
  private long unitsMoved;
  private volatile Optional<LongConsumer> progress = Optional.empty();

  /**
   * One try at repairing a stripe.
   *
   * @param units that it made whole
   * @param bytesRead as the repairer counted them
   * @param message of the outcome
   */
  record Pass(UnitSet units, long bytesRead, String message) {}

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
    UnitSet whole = UnitSet.none();
    long bytesRead = 0;
    if (outcome instanceof RepairOutcome.Repaired repaired) {
      for (PlannedDelivery delivery : repaired.delivered()) {
        repairedBlocks.add(delivery.block().id());
      }
      whole = repaired.units();
      bytesRead = repaired.bytesRead();
      progress.ifPresent(listener -> listener.accept(repaired.bytesWritten()));
    } else if (outcome instanceof RepairOutcome.Postponed postponed) {
      bytesRead = postponed.bytesRead();
    }
    passes
        .computeIfAbsent(key(outcome.stripe()), stripe -> new ArrayList<>())
        .add(new Pass(whole, bytesRead, outcome.message()));
  }

  static StripeKey key(LocatedStripe stripe) {
    return new StripeKey(stripe.parityInode(), stripe.index());
  }

  /** Who first told of each lost block. */
  synchronized Map<Long, Source> detections() {
    return new LinkedHashMap<>(detections);
  }

  synchronized int blocksRepaired() {
    return repairedBlocks.size();
  }

  /** How each stripe was repaired, in order. */
  synchronized Map<StripeKey, List<Pass>> passes() {
    Map<StripeKey, List<Pass>> copy = new LinkedHashMap<>();
    passes.forEach((stripe, made) -> copy.put(stripe, List.copyOf(made)));
    return copy;
  }

  synchronized long bytesReadForRepair() {
    return passes.values().stream().flatMap(List::stream).mapToLong(Pass::bytesRead).sum();
  }

  synchronized long unitsMoved() {
    return unitsMoved;
  }
}
