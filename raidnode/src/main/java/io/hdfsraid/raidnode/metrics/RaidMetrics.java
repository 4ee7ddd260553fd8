// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.metrics;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidapi.version.VersionReport;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.JobDispatcher.JobReport;
import io.hdfsraid.raidnode.journal.AuditPass;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.metrics.RaidMeter.Kind;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.schedule.JobListener;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.recency.RecencyStatus;
import io.hdfsraid.recency.index.RebuildResult;
import io.hdfsraid.recency.index.RebuildResult.Drift;
import io.hdfsraid.recency.source.SourceState;
import io.hdfsraid.yarn.job.StripeJob;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Measures the daemon: every {@link RaidMeter}, and the Java machine. Safe for concurrent use. */
public final class RaidMetrics implements RaidEvents, JobListener, AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MultiGauge files = gauges(RaidMeter.FILES);
  private final MultiGauge fileBytes = gauges(RaidMeter.FILES_BYTES);
  private final MultiGauge parityBytes = gauges(RaidMeter.PARITY_BYTES);
  private final MultiGauge savedBytes = gauges(RaidMeter.SAVED_BYTES);
  private final MultiGauge repairQueue = gauges(RaidMeter.REPAIR_QUEUE_STRIPES);
  private final MultiGauge sourceHealthy = gauges(RaidMeter.SOURCE_HEALTHY);
  private final MultiGauge sourceLag = gauges(RaidMeter.SOURCE_LAG_SECONDS);
  private final Map<Tags, AtomicLong> sourceEvents = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> lastSuccesses = new ConcurrentHashMap<>();
  private final MultiGauge drift = gauges(RaidMeter.INDEX_DRIFT);
  private final MultiGauge auditFiles = gauges(RaidMeter.AUDIT_FILES);
  private final MultiGauge auditStripes = gauges(RaidMeter.AUDIT_STRIPES);
  private final AtomicLong atRiskSeconds = gauge(RaidMeter.REPAIR_AT_RISK_SECONDS, Tags.empty());
  private final AtomicLong ownerEpoch = gauge(RaidMeter.OWNER_EPOCH, Tags.empty());
  private final AtomicLong storm = gauge(RaidMeter.REPAIR_STORM, Tags.empty());
  private final Map<Tags, AtomicLong> containers = new ConcurrentHashMap<>();
  private final MultiGauge scrubOldest = gauges(RaidMeter.SCRUB_OLDEST_SECONDS);
  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
  private final Clock clock;

  /**
   * Creates all meters whose labels are known.
   *
   * @param build the labels of {@link RaidMeter#BUILD_INFO}
   */
  public RaidMetrics(VersionReport build, Clock clock) {
    this.clock = clock;
    gauge(
            RaidMeter.BUILD_INFO,
            Tags.of(
                "version",
                build.version(),
                "commit",
                build.commit().orElse(""),
                "hadoop",
                build.hadoop(),
                "java",
                build.java()))
        .set(1);
    Stream.of(RaidMeter.values())
        .filter(meter -> meter.kind() == Kind.COUNTER && meter.labels().isEmpty())
        .forEach(this::counter);
    for (ScrubDepth depth : ScrubDepth.values()) {
      counter(RaidMeter.SCRUB_STRIPES, "depth", depth.tag());
    }
    for (Fault fault : Fault.values()) {
      for (DetectionSource source : DetectionSource.values()) {
        counter(RaidMeter.DETECTED_FAULTS, "fault", tag(fault), "source", tag(source));
      }
    }
    AtomicLong unused = gauge(RaidMeter.STANDBY, Tags.empty());
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
      Supplier<Duration> atRisk,
      Supplier<Map<ScrubDepth, Duration>> unscrubbed,
      RecencyStatus recency) {
    refresh(totals.get(), repairs.get());
    atRiskSeconds.set(atRisk.get().toSeconds());
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
    for (SourceState source : sources) {
      Tags tags = Tags.of("source", source.name());
      healthy.add(Row.of(tags, source.problem().isEmpty() ? 1 : 0));
      lag.add(Row.of(tags, source.lag().toSeconds()));
      source
          .counters()
          .forEach(
              (kind, n) -> sourceEvents.computeIfAbsent(tags.and("kind", kind), this::told).set(n));
    }
    sourceHealthy.register(List.copyOf(healthy), true);
    sourceLag.register(List.copyOf(lag), true);
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
    counter(
            RaidMeter.TRANSFERRED_BYTES,
            "purpose",
            tag(purpose),
            "direction",
            tag(direction),
            "distance",
            tag(distance))
        .increment((double) bytes);
  }

  /** Notes that this daemon has become the active one. */
  public void becameActive(long epoch) {
    ownerEpoch.set(epoch);
  }

  /** Counts calls of the NameNode. */
  public void called(long nameNodeCalls) {
    add(RaidMeter.NAMENODE_CALLS, nameNodeCalls);
  }

  @Override
  public void encoded(long inode, long bytes) {
    add(RaidMeter.ENCODED_BYTES, bytes);
  }

  @Override
  public void worked(String action, FileRecord file, RaidOutcome outcome) {
    counter(
            RaidMeter.PROCESSED_FILES,
            "action",
            action,
            "state",
            file.state().tag(),
            "reason",
            outcome.reason().map(Enum::name).orElse(""))
        .increment();
    add(RaidMeter.MOVED_UNITS, outcome.unitsMoved());
  }

  @Override
  public void reheated(FileRecord file, long bytes) {
    add(RaidMeter.REHEATED_FILES, 1);
    add(RaidMeter.REHEATED_BYTES, bytes);
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
    counter(RaidMeter.SCRUB_STRIPES, "depth", depth.tag()).increment();
  }

  @Override
  public void found(StripeHealth health) {
    for (UnitFinding finding : health.findings()) {
      counter(
              RaidMeter.DETECTED_FAULTS,
              "fault",
              tag(finding.fault()),
              "source",
              tag(finding.source()))
          .increment();
    }
  }

  @Override
  public void repaired(RepairOutcome outcome, int losses) {
    String result = "unrecoverable";
    if (outcome instanceof RepairOutcome.Repaired repaired) {
      result = "repaired";
      add(RaidMeter.REBUILT_UNITS, repaired.losses());
      counter(RaidMeter.RECOVERY_READ_BYTES, "losses", Integer.toString(losses))
          .increment((double) repaired.bytesRead());
      add(RaidMeter.REPAIR_READ_BYTES, repaired.bytesRead());
      add(RaidMeter.REPAIR_WRITTEN_BYTES, repaired.bytesWritten());
    } else if (outcome instanceof RepairOutcome.WrongParity wrong) {
      result = "wrong-parity";
      add(RaidMeter.REPAIR_READ_BYTES, wrong.repaired().bytesRead());
      add(RaidMeter.REPAIR_WRITTEN_BYTES, wrong.repaired().bytesWritten());
    } else if (outcome instanceof RepairOutcome.Postponed postponed) {
      result = tag(postponed.reason());
      add(RaidMeter.REPAIR_READ_BYTES, postponed.bytesRead());
    }
    counter(RaidMeter.REPAIRED_STRIPES, "result", result, "losses", Integer.toString(losses))
        .increment();
  }

  @Override
  public void hedged(boolean faster) {
    counter(RaidMeter.REPAIR_HEDGES, "faster", faster ? "hedge" : "plan").increment();
  }

  @Override
  public void hedgeRead(long bytes) {
    add(RaidMeter.HEDGE_READ_BYTES, bytes);
  }

  @Override
  public void storm(boolean pausing) {
    storm.set(pausing ? 1 : 0);
  }

  @Override
  public void looked(ContainerJobs.Kind kind, List<JobReport> jobs, boolean refused) {
    Tags work = Tags.of("work", kind.toString());
    set(RaidMeter.YARN_REFUSED, work, refused ? 1 : 0);
    set(
        RaidMeter.YARN_CONTAINERS,
        work,
        jobs.stream().mapToInt(job -> job.status().containers()).sum());
    for (StripeJob.Stage stage : List.of(StripeJob.Stage.WAITING, StripeJob.Stage.RUNNING)) {
      set(
          RaidMeter.YARN_JOBS,
          work.and("stage", tag(stage)),
          jobs.stream().filter(job -> job.status().stage() == stage).count());
    }
  }

  @Override
  public void readInContainer(ContainerJobs.Kind kind, Distance distance, long bytes) {
    counter(RaidMeter.YARN_READ_BYTES, "work", kind.toString(), "distance", tag(distance))
        .increment((double) bytes);
  }

  @Override
  public void jobEnded(ContainerJobs.Kind kind, boolean complete) {
    counter(
            RaidMeter.YARN_ENDED_JOBS,
            "work",
            kind.toString(),
            "complete",
            Boolean.toString(complete))
        .increment();
  }

  private void set(RaidMeter meter, Tags tags, long value) {
    containers
        .computeIfAbsent(tags.and("meter", meter.meter()), key -> gauge(meter, tags))
        .set(value);
  }

  @Override
  public void ended(String job, Duration took, boolean succeeded) {
    Timer.builder(RaidMeter.JOB_RUNS.meter())
        .description(RaidMeter.JOB_RUNS.what())
        .tags("job_name", job, "result", succeeded ? "done" : "failed")
        .register(registry)
        .record(took);
    if (succeeded) {
      lastSuccesses
          .computeIfAbsent(
              job, name -> gauge(RaidMeter.JOB_LAST_SUCCESS, Tags.of("job_name", name)))
          .set(clock.instant().getEpochSecond());
    }
  }

  /** Counts the steps of a pipeline. */
  public StepListener steps() {
    return (step, subject) ->
        counter(
                RaidMeter.PIPELINE_STEPS,
                "pipeline",
                step.getDeclaringClass().getSimpleName(),
                "step",
                tag(step))
            .increment();
  }

  private void add(RaidMeter meter, long amount) {
    counter(meter).increment((double) amount);
  }

  private Counter counter(RaidMeter meter, String... tags) {
    return Counter.builder(meter.meter()).description(meter.what()).tags(tags).register(registry);
  }

  private MultiGauge gauges(RaidMeter meter) {
    return MultiGauge.builder(meter.meter()).description(meter.what()).register(registry);
  }

  private AtomicLong gauge(RaidMeter meter, Tags tags) {
    AtomicLong value = new AtomicLong();
    Gauge.builder(meter.meter(), value, AtomicLong::doubleValue)
        .description(meter.what())
        .tags(tags)
        .register(registry);
    return value;
  }

  private AtomicLong told(Tags tags) {
    AtomicLong events = new AtomicLong();
    FunctionCounter.builder(RaidMeter.SOURCE_EVENTS.meter(), events, AtomicLong::doubleValue)
        .description(RaidMeter.SOURCE_EVENTS.what())
        .tags(tags)
        .register(registry);
    return events;
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
