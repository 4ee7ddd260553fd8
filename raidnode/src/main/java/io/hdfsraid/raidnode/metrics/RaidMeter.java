// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.metrics;

import java.util.List;

/**
 * What the daemon measures beside its Java machine. Prometheus shows {@link #what} as HELP, and
 * docs/metrics.md is generated from this list.
 */
public enum RaidMeter {
  BUILD_INFO("raid.build.info", Kind.GAUGE, "Always 1", "version", "commit", "hadoop", "java"),
  FILES(
      "raid.files",
      Kind.GAUGE,
      "Files, those without parity as the last scan counted them",
      "state",
      "reason"),
  FILES_BYTES("raid.files.bytes", Kind.GAUGE, "Lengths of these files", "state", "reason"),
  PARITY_BYTES(
      "raid.parity.bytes",
      Kind.GAUGE,
      "Bytes that all replicas of their parity occupy",
      "state",
      "reason"),
  SAVED_BYTES(
      "raid.saved.bytes",
      Kind.GAUGE,
      "Bytes that files with parity would occupy in addition at their original replication",
      "state",
      "reason"),
  TRANSFERRED_BYTES(
      "raid.transferred.bytes",
      Kind.COUNTER,
      "Bytes between the daemon and DataNodes, and from DataNode to DataNode for moves",
      "purpose",
      "direction",
      "distance"),
  NAMENODE_CALLS(
      "raid.namenode.calls",
      Kind.COUNTER,
      "Calls of the NameNode that count against hdfs.nameNodeCallsPerSecond"),
  ENCODED_BYTES("raid.encoded.bytes", Kind.COUNTER, "Bytes of files that were encoded"),
  PROCESSED_FILES(
      "raid.processed.files",
      Kind.COUNTER,
      "Files on which work has ended",
      "action",
      "state",
      "reason"),
  PIPELINE_STEPS(
      "raid.pipeline.steps", Kind.COUNTER, "Steps of raiding and repair", "pipeline", "step"),
  REHEATED_FILES(
      "raid.reheated.files",
      Kind.COUNTER,
      "Raided files that were read again and so got their replicas back"),
  REHEATED_BYTES("raid.reheated.bytes", Kind.COUNTER, "Bytes copied for reheated files"),
  SOURCE_HEALTHY(
      "raid.recency.source.healthy",
      Kind.GAUGE,
      "1 for a source of accesses that can be trusted, else 0",
      "source"),
  SOURCE_LAG_SECONDS(
      "raid.recency.source.lag.seconds",
      Kind.GAUGE,
      "How far a source of accesses is behind",
      "source"),
  SOURCE_EVENTS(
      "raid.recency.source.events",
      Kind.COUNTER,
      "What a source of accesses has told",
      "source",
      "kind"),
  INDEX_DRIFT(
      "raid.recency.index.drift.entries",
      Kind.GAUGE,
      "Entries in which the index of the namespace differed from the last image",
      "kind"),
  MOVED_UNITS("raid.moved.units", Kind.COUNTER, "Units moved to spread stripes"),
  AUDIT_FILES(
      "raid.placement.audit.files",
      Kind.GAUGE,
      "Files of the running placement audit: those done, and all",
      "part"),
  AUDIT_STRIPES(
      "raid.placement.audit.stripes",
      Kind.GAUGE,
      "Stripes that the placement audit left badly placed",
      "fault"),
  SCRUB_STRIPES("raid.scrub.stripes", Kind.COUNTER, "Stripes scrubbed", "depth"),
  SCRUB_OLDEST_SECONDS(
      "raid.scrub.oldest.seconds",
      Kind.GAUGE,
      "Time since the stripe that has waited longest was scrubbed",
      "depth"),
  DETECTED_FAULTS(
      "raid.detected.faults",
      Kind.COUNTER,
      "Faults found on units, and who has found them",
      "fault",
      "source"),
  REPAIR_QUEUE_STRIPES(
      "raid.repair.queue.stripes", Kind.GAUGE, "Stripes that are damaged", "state"),
  REPAIR_AT_RISK_SECONDS(
      "raid.repair.at.risk.oldest.seconds",
      Kind.GAUGE,
      "Longest time for which a stripe has tolerated no further loss; 0 if there is none"),
  REPAIRED_STRIPES(
      "raid.repair.stripes", Kind.COUNTER, "Repairs that have ended", "result", "losses"),
  REBUILT_UNITS("raid.repair.units", Kind.COUNTER, "Units rebuilt and confirmed by the NameNode"),
  REPAIR_READ_BYTES(
      "raid.repair.read.bytes", Kind.COUNTER, "Bytes read for repairs, failed ones included"),
  RECOVERY_READ_BYTES(
      "raid.repair.recovery.read.bytes",
      Kind.COUNTER,
      "Bytes read for stripes that were repaired",
      "losses"),
  REPAIR_WRITTEN_BYTES(
      "raid.repair.written.bytes", Kind.COUNTER, "Bytes of the units delivered by repairs"),
  REPAIR_HEDGES(
      "raid.repair.hedges",
      Kind.COUNTER,
      "Rows for which other units were read beside a slow one, and which was faster",
      "faster"),
  HEDGE_READ_BYTES(
      "raid.repair.hedge.read.bytes",
      Kind.COUNTER,
      "Bytes read for repairs in addition because of slow DataNodes"),
  REPAIR_STORM(
      "raid.repair.storm",
      Kind.GAUGE,
      "1 while most repairs pause because much has failed at once, else 0"),
  STANDBY("raid.standby", Kind.GAUGE, "1 if this daemon stands by, 0 if it is the active one"),
  OWNER_EPOCH(
      "raid.owner.epoch",
      Kind.GAUGE,
      "How many daemons have been the active one so far, this one included"),
  YARN_JOBS("raid.yarn.jobs", Kind.GAUGE, "Jobs of YARN that have not ended", "work", "stage"),
  YARN_CONTAINERS("raid.yarn.containers", Kind.GAUGE, "Containers that these jobs have", "work"),
  YARN_REFUSED(
      "raid.yarn.refused",
      Kind.GAUGE,
      "1 while no job is submitted because YARN takes none or they fail, else 0",
      "work"),
  YARN_ENDED_JOBS(
      "raid.yarn.ended.jobs",
      Kind.COUNTER,
      "Jobs of YARN that have ended, and whether their tasks have answered for each stripe",
      "work",
      "complete"),
  YARN_READ_BYTES(
      "raid.yarn.read.bytes",
      Kind.COUNTER,
      "Bytes that containers have read, as their tasks say",
      "work",
      "distance"),
  JOB_RUNS("raid.job.runs", Kind.TIMER, "Runs of jobs", "job_name", "result"),
  JOB_LAST_SUCCESS(
      "raid.job.last.success.timestamp.seconds",
      Kind.GAUGE,
      "When a job has last ended without an error, in Unix time",
      "job_name");

  /** How a meter changes. */
  public enum Kind {
    /** Goes up and down. */
    GAUGE,
    /** Only goes up until the daemon starts anew. */
    COUNTER,
    /** Counts and adds up durations. */
    TIMER
  }

  private final String meter;
  private final Kind kind;
  private final String what;
  private final String labels;

  RaidMeter(String meter, Kind kind, String what, String... labels) {
    this.meter = meter;
    this.kind = kind;
    this.what = what;
    this.labels = String.join(" ", labels);
  }

  /** Returns the name by Micrometer's convention, with the unit. */
  String meter() {
    return meter;
  }

  public Kind kind() {
    return kind;
  }

  /** Returns what it measures, in a sentence without a full stop. */
  public String what() {
    return what;
  }

  public List<String> labels() {
    return labels.isEmpty() ? List.of() : List.of(labels.split(" ", -1));
  }

  /** Returns the name that Prometheus shows; of a timer, without {@code _count} or {@code _sum}. */
  public String prometheusName() {
    String name = meter.replace('.', '_');
    return switch (kind) {
      case GAUGE -> name;
      case COUNTER -> name + "_total";
      case TIMER -> name + "_seconds";
    };
  }
}
