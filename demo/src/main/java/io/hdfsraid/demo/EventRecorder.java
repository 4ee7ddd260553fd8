// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.JobDispatcher.JobReport;
import io.hdfsraid.raidnode.journal.RaidEvents;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** Records what the jobs of the daemon report. Safe for concurrent use. */
final class EventRecorder implements RaidEvents, StepListener {
  private final Map<Long, DetectionSource> detections = new LinkedHashMap<>();
  private final Set<Long> repairedBlocks = new HashSet<>();
  private final Map<StripeKey, List<Attempt>> attempts = new LinkedHashMap<>();
  private final SortedSet<String> applications = new TreeSet<>();
  private final Map<ContainerJobs.Kind, Long> readInContainers =
      new EnumMap<>(ContainerJobs.Kind.class);
  private long unitsMoved;
  private volatile LongConsumer progress = bytes -> {};

  /**
   * One attempt at repairing a stripe.
   *
   * @param repaired the units that it delivered
   * @param message the message of its outcome
   */
  record Attempt(UnitSet repaired, long bytesRead, String message) {}

  static StripeKey key(LocatedStripe stripe) {
    return new StripeKey(stripe.parityInode(), stripe.index());
  }

  /** Passes the number of encoded or rebuilt bytes on, until {@link #quiet}. */
  void reportTo(LongConsumer listener) {
    progress = listener;
  }

  void quiet() {
    progress = bytes -> {};
  }

  @Override
  public void encoded(long inode, long bytes) {
    progress.accept(bytes);
  }

  /** Counts a move when the target has the replica. The NameNode may notice it much later. */
  @Override
  public synchronized void reached(Enum<?> step, String subject) {
    if (step == MoveStep.COPIED) {
      unitsMoved++;
    }
  }

  @Override
  public synchronized void found(StripeHealth health) {
    for (UnitFinding finding : health.findings()) {
      if (health.lost().contains(finding.unit())) {
        detections.putIfAbsent(finding.block().id(), finding.source());
      }
    }
  }

  @Override
  public synchronized void repaired(RepairOutcome outcome, int losses) {
    UnitSet units = UnitSet.none();
    long bytesRead = 0;
    if (outcome instanceof RepairOutcome.Repaired repaired) {
      units = repaired.units();
      bytesRead = repaired.bytesRead();
      for (PlannedDelivery delivery : repaired.delivered()) {
        repairedBlocks.add(delivery.block().id());
      }
      progress.accept(repaired.bytesWritten());
    } else if (outcome instanceof RepairOutcome.Postponed postponed) {
      bytesRead = postponed.bytesRead();
    }
    attempts
        .computeIfAbsent(key(outcome.stripe()), stripe -> new ArrayList<>())
        .add(new Attempt(units, bytesRead, outcome.message()));
  }

  @Override
  public synchronized void looked(ContainerJobs.Kind kind, List<JobReport> jobs, boolean refused) {
    jobs.stream()
        .filter(job -> !job.read().isEmpty())
        .forEach(job -> applications.add(job.application()));
  }

  @Override
  public synchronized void readInContainer(ContainerJobs.Kind kind, Distance distance, long bytes) {
    readInContainers.merge(kind, bytes, Long::sum);
  }

  /** The applications of YARN that have worked. */
  synchronized List<String> applications() {
    return List.copyOf(applications);
  }

  /** Bytes that containers have read for this kind of work. */
  synchronized long readInContainers(ContainerJobs.Kind kind) {
    return readInContainers.getOrDefault(kind, 0L);
  }

  /** The source that noticed each lost block first. */
  synchronized Map<Long, DetectionSource> detections() {
    return new LinkedHashMap<>(detections);
  }

  synchronized int blocksRepaired() {
    return repairedBlocks.size();
  }

  /** The attempts at each stripe, in order. */
  synchronized Map<StripeKey, List<Attempt>> attempts() {
    Map<StripeKey, List<Attempt>> copy = new LinkedHashMap<>();
    attempts.forEach((stripe, made) -> copy.put(stripe, List.copyOf(made)));
    return copy;
  }

  synchronized long unitsMoved() {
    return unitsMoved;
  }
}
