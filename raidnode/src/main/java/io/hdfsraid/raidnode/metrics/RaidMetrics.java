// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.metrics;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.journal.AuditPass;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.schedule.JobListener;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.recency.RecencyStatus;
import io.hdfsraid.recency.index.RebuildResult;
import io.hdfsraid.recency.index.RebuildResult.Drift;
import io.hdfsraid.recency.source.SourceState;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * All meters of the daemon. Units are part of the names, reasons are tags; Prometheus reads {@code
 * raid.repair.read.bytes} as {@code raid_repair_read_bytes_total}. Safe for concurrent use.
 */
public final class RaidMetrics implements RaidEvents, JobListener, AutoCloseable {
  /** Files known, by state and reason (gauge). */
  public static final String FILES = "raid.files";

  /** Lengths of the files known, by state (gauge). */
  public static final String FILES_BYTES = "raid.files.bytes";

  /** Bytes of all replicas of the parity, by state of the files (gauge). */
  public static final String PARITY_BYTES = "raid.parity.bytes";

  /**
   * Bytes that files with parity would occupy in addition at their original replication (gauge).
   */
  public static final String SAVED_BYTES = "raid.saved.bytes";

  /** Stripes in the repair ledger, by state (gauge). */
  public static final String REPAIR_QUEUE_STRIPES = "raid.repair.queue.stripes";

  /** Bytes between the daemon and DataNodes, by purpose, direction and distance (counter). */
  public static final String TRANSFERRED_BYTES = "raid.transferred.bytes";

  /** Source bytes encoded (counter). */
  public static final String ENCODED_BYTES = "raid.encoded.bytes";

  /** Files on which work has ended, by action, state and reason (counter). */
  public static final String PROCESSED_FILES = "raid.processed.files";

  /** Raided files that got their replicas back because they were read again (counter). */
  public static final String REHEATED_FILES = "raid.reheated.files";

  /** Bytes copied for reheated files (counter). */
  public static final String REHEATED_BYTES = "raid.reheated.bytes";

  /** 1 for a source of accesses that can be trusted, else 0, by source (gauge). */
  public static final String SOURCE_HEALTHY = "raid.recency.source.healthy";

  /** Seconds by which a source is behind, by source (gauge). */
  public static final String SOURCE_LAG_SECONDS = "raid.recency.source.lag.seconds";

  /** Events that a source has reported since the daemon started, by source and kind (gauge). */
  public static final String SOURCE_EVENTS = "raid.recency.source.events";

  /** Entries in which the index differed from the last image, by kind (gauge). */
  public static final String INDEX_DRIFT = "raid.recency.index.drift.entries";

  /** Units moved to spread stripes (counter). */
  public static final String MOVED_UNITS = "raid.moved.units";

  /** Files of the audit of all placements, by part: done, all (gauge). */
  public static final String AUDIT_FILES = "raid.placement.audit.files";

  /** Stripes with a fault after the moves of the audit, by fault (gauge). */
  public static final String AUDIT_STRIPES = "raid.placement.audit.stripes";

  /** Stripes scrubbed, by depth (counter). */
  public static final String SCRUB_STRIPES = "raid.scrub.stripes";

  /** Seconds since the stripe that has waited longest was scrubbed, by depth (gauge). */
  public static final String SCRUB_OLDEST_SECONDS = "raid.scrub.oldest.seconds";

  /** Steps of the pipelines, by step (counter). */
  public static final String PIPELINE_STEPS = "raid.pipeline.steps";

  /** Faults found on units, by fault and source (counter). */
  public static final String DETECTED_FAULTS = "raid.detected.faults";

  /** Repairs that have ended, by result and number of losses (counter). */
  public static final String REPAIRED_STRIPES = "raid.repair.stripes";

  /** Bytes read from helpers for stripes that were repaired, by number of losses (counter). */
  public static final String RECOVERY_READ_BYTES = "raid.repair.recovery.read.bytes";

  /** 1 while most repairs pause because much has failed at once, else 0 (gauge). */
  public static final String REPAIR_STORM = "raid.repair.storm";

  /** Units rebuilt and confirmed by the NameNode (counter). */
  public static final String REBUILT_UNITS = "raid.repair.units";

  /** Bytes read from helpers, failed attempts included (counter). */
  public static final String REPAIR_READ_BYTES = "raid.repair.read.bytes";

  /**
   * Rows for which other units were read because a node was slow, by which read was faster
   * (counter).
   */
  public static final String REPAIR_HEDGES = "raid.repair.hedges";

  /**
   * The part of {@link #REPAIR_READ_BYTES} that was read in addition because of slow nodes
   * (counter).
   */
  public static final String HEDGE_READ_BYTES = "raid.repair.hedge.read.bytes";

  /** Bytes of the units delivered (counter). */
  public static final String REPAIR_WRITTEN_BYTES = "raid.repair.written.bytes";

  /** Runs of jobs, by job and result (timer). */
  public static final String JOB_RUNS = "raid.job.runs";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MultiGauge files = MultiGauge.builder(FILES).register(registry);
  private final MultiGauge fileBytes = MultiGauge.builder(FILES_BYTES).register(registry);
  private final MultiGauge parityBytes = MultiGauge.builder(PARITY_BYTES).register(registry);
  private final MultiGauge savedBytes = MultiGauge.builder(SAVED_BYTES).register(registry);
  private final MultiGauge repairQueue =
      MultiGauge.builder(REPAIR_QUEUE_STRIPES).register(registry);
  private final MultiGauge sourceHealthy = MultiGauge.builder(SOURCE_HEALTHY).register(registry);
  private final MultiGauge sourceLag = MultiGauge.builder(SOURCE_LAG_SECONDS).register(registry);
  private final MultiGauge sourceEvents = MultiGauge.builder(SOURCE_EVENTS).register(registry);
  private final MultiGauge drift = MultiGauge.builder(INDEX_DRIFT).register(registry);
  private final MultiGauge auditFiles = MultiGauge.builder(AUDIT_FILES).register(registry);
  private final MultiGauge auditStripes = MultiGauge.builder(AUDIT_STRIPES).register(registry);
  private final AtomicInteger storm = registry.gauge(REPAIR_STORM, new AtomicInteger());
  private final MultiGauge scrubOldest =
      MultiGauge.builder(SCRUB_OLDEST_SECONDS).register(registry);
  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();

  public RaidMetrics() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    garbageCollection.bindTo(registry);
  }

  /** Returns all metrics in the text format of Prometheus. */
  String text(
      Supplier<List<Total>> totals,
      Supplier<Map<String, Long>> repairs,
      Supplier<Map<ScrubDepth, Duration>> unscrubbed,
      RecencyStatus recency) {
    refresh(totals.get(), repairs.get());
    refresh(recency.states());
    recency.lastRebuilt().flatMap(RebuildResult::drift).ifPresent(this::refresh);
    scrubOldest.register(
        unscrubbed.get().entrySet().stream()
            .map(
                entry ->
                    Row.of(Tags.of("depth", entry.getKey().tag()), entry.getValue().toSeconds()))
            .toList(),
        true);
    return registry.scrape();
  }

  private void refresh(List<Total> totals, Map<String, Long> repairs) {
    files.register(totals.stream().map(total -> Row.of(tags(total), total.files())).toList(), true);
    fileBytes.register(
        totals.stream().map(total -> Row.of(tags(total), total.bytes())).toList(), true);
    parityBytes.register(
        totals.stream().map(total -> Row.of(tags(total), total.parityBytes())).toList(), true);
    savedBytes.register(
        totals.stream().map(total -> Row.of(tags(total), total.savedBytes())).toList(), true);
    repairQueue.register(
        repairs.entrySet().stream()
            .map(entry -> Row.of(Tags.of("state", entry.getKey()), entry.getValue()))
            .toList(),
        true);
  }

  private void refresh(List<SourceState> sources) {
    List<Row<Number>> healthy = new ArrayList<>();
    List<Row<Number>> lag = new ArrayList<>();
    List<Row<Number>> events = new ArrayList<>();
    for (SourceState source : sources) {
      Tags tags = Tags.of("source", source.name());
      healthy.add(Row.of(tags, source.problem().isEmpty() ? 1 : 0));
      lag.add(Row.of(tags, source.lag().toSeconds()));
      source.counters().forEach((kind, n) -> events.add(Row.of(tags.and("kind", kind), n)));
    }
    sourceHealthy.register(List.copyOf(healthy), true);
    sourceLag.register(List.copyOf(lag), true);
    sourceEvents.register(List.copyOf(events), true);
  }

  private void refresh(Drift found) {
    drift.register(
        List.of(
            Row.of(Tags.of("kind", "missing"), found.missing()),
            Row.of(Tags.of("kind", "extra"), found.extra()),
            Row.of(Tags.of("kind", "different"), found.different())),
        true);
  }

  private static Tags tags(Total total) {
    return Tags.of(
        "state", total.state().tag(), "reason", total.reason().map(Enum::name).orElse(""));
  }

  @Override
  public void transferred(Purpose purpose, Direction direction, Distance distance, long bytes) {
    registry
        .counter(
            TRANSFERRED_BYTES,
            "purpose",
            tag(purpose),
            "direction",
            tag(direction),
            "distance",
            tag(distance))
        .increment((double) bytes);
  }

  @Override
  public void encoded(long inode, long bytes) {
    add(ENCODED_BYTES, bytes);
  }

  @Override
  public void worked(String action, FileRecord file, RaidOutcome outcome) {
    registry
        .counter(
            PROCESSED_FILES,
            "action",
            action,
            "state",
            file.state().tag(),
            "reason",
            outcome.reason().map(Enum::name).orElse(""))
        .increment();
    add(MOVED_UNITS, outcome.unitsMoved());
  }

  @Override
  public void reheated(FileRecord file, long bytes) {
    add(REHEATED_FILES, 1);
    add(REHEATED_BYTES, bytes);
  }

  @Override
  public void audited(AuditPass pass) {
    auditFiles.register(
        List.of(
            Row.of(Tags.of("part", "done"), pass.files()),
            Row.of(Tags.of("part", "all"), pass.all())),
        true);
    auditStripes.register(
        List.of(
            Row.of(Tags.of("fault", "shared_node"), pass.sharing()),
            Row.of(Tags.of("fault", "crowded_rack"), pass.crowding()),
            Row.of(Tags.of("fault", "stuck"), pass.stuck())),
        true);
  }

  @Override
  public void scrubbed(ScrubDepth depth, LocatedStripe stripe) {
    registry.counter(SCRUB_STRIPES, "depth", depth.tag()).increment();
  }

  @Override
  public void found(StripeHealth health) {
    for (UnitFinding finding : health.findings()) {
      registry
          .counter(DETECTED_FAULTS, "fault", tag(finding.fault()), "source", tag(finding.source()))
          .increment();
    }
  }

  @Override
  public void repaired(RepairOutcome outcome, int losses) {
    String result = "unrecoverable";
    if (outcome instanceof RepairOutcome.Repaired repaired) {
      result = "repaired";
      add(REBUILT_UNITS, repaired.losses());
      registry
          .counter(RECOVERY_READ_BYTES, "losses", Integer.toString(losses))
          .increment((double) repaired.bytesRead());
      add(REPAIR_READ_BYTES, repaired.bytesRead());
      add(REPAIR_WRITTEN_BYTES, repaired.bytesWritten());
    } else if (outcome instanceof RepairOutcome.WrongParity wrong) {
      result = "wrong-parity";
      add(REPAIR_READ_BYTES, wrong.repaired().bytesRead());
      add(REPAIR_WRITTEN_BYTES, wrong.repaired().bytesWritten());
    } else if (outcome instanceof RepairOutcome.Postponed postponed) {
      result = tag(postponed.reason());
      add(REPAIR_READ_BYTES, postponed.bytesRead());
    }
    registry
        .counter(REPAIRED_STRIPES, "result", result, "losses", Integer.toString(losses))
        .increment();
  }

  @Override
  public void hedged(boolean faster) {
    registry.counter(REPAIR_HEDGES, "faster", faster ? "hedge" : "plan").increment();
  }

  @Override
  public void hedgeRead(long bytes) {
    add(HEDGE_READ_BYTES, bytes);
  }

  @Override
  public void storm(boolean pausing) {
    storm.set(pausing ? 1 : 0);
  }

  @Override
  public void ended(String job, Duration took, boolean succeeded) {
    registry.timer(JOB_RUNS, "job", job, "result", succeeded ? "done" : "failed").record(took);
  }

  /** Counts the steps of a pipeline. */
  public StepListener steps() {
    return (step, subject) ->
        registry
            .counter(
                PIPELINE_STEPS,
                "pipeline",
                step.getDeclaringClass().getSimpleName(),
                "step",
                tag(step))
            .increment();
  }

  private void add(String counter, long amount) {
    registry.counter(counter).increment((double) amount);
  }

  private static String tag(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    garbageCollection.close();
    registry.close();
  }
}
