// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.version.VersionReport;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.JobDispatcher.JobReport;
import io.hdfsraid.raidnode.journal.AuditPass;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.recency.NoRecencyStatus;
import io.hdfsraid.recency.RecencyStatus;
import io.hdfsraid.recency.index.RebuildResult;
import io.hdfsraid.recency.source.SourceState;
import io.hdfsraid.yarn.job.StripeJob;
import io.hdfsraid.yarn.job.StripeJob.Stage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RaidMetricsTest {
  private enum Step {
    PINNED
  }

  private static final Instant NOW = Instant.parse("2030-06-01T12:00:00Z");

  private final RaidMetrics metrics =
      new RaidMetrics(
          new VersionReport(
              "1.0", Optional.of("abc"), Optional.empty(), "v1", "3.5.0", "17", Map.of()),
          Clock.fixed(NOW, ZoneOffset.UTC));

  @AfterEach
  void close() {
    metrics.close();
  }

  private static RecencyStatus sources() {
    return new RecencyStatus() {
      @Override
      public List<SourceState> states() {
        return List.of(
            new SourceState(
                "audit-log",
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(90),
                Optional.of("is not there"),
                Map.of("gaps", 2L)));
      }

      @Override
      public Optional<RebuildResult> lastRebuilt() {
        return Optional.of(
            new RebuildResult(1, 2, 3, 0, 0, 0, Optional.of(new RebuildResult.Drift(4, 5, 6))));
      }
    };
  }

  @Test
  void whatIsKnownIsReadAtEachScrapeAndWhatIsNoMoreIsGone() {
    Total left = new Total(FileState.LEFT, Optional.of(Reason.EMPTY), 3, 10, 30, 0, 30);
    Total raided = new Total(FileState.RAIDED, Optional.empty(), 2, 100, 100, 60, 300);
    String text =
        metrics.text(
            () -> List.of(left, raided),
            () -> Map.of("waiting", 4L),
            () -> Duration.ofMinutes(2),
            () -> Map.of(ScrubDepth.DEEP, Duration.ofHours(2)),
            sources());
    assertThat(text)
        .contains("raid_recency_source_healthy{source=\"audit-log\"} 0.0")
        .contains("raid_recency_source_lag_seconds{source=\"audit-log\"} 90.0")
        .contains("raid_recency_source_events_total{kind=\"gaps\",source=\"audit-log\"} 2.0")
        .contains("raid_recency_index_drift_entries{kind=\"extra\"} 5.0")
        .contains("raid_files{reason=\"EMPTY\",state=\"left\"} 3.0")
        .contains("raid_files_bytes{reason=\"\",state=\"raided\"} 100.0")
        .contains("raid_parity_bytes{reason=\"\",state=\"raided\"} 60.0")
        .contains("raid_saved_bytes{reason=\"\",state=\"raided\"} 140.0")
        .contains("raid_repair_at_risk_oldest_seconds 120.0")
        .contains("raid_repair_queue_stripes{state=\"waiting\"} 4.0")
        .contains("raid_scrub_oldest_seconds{depth=\"deep\"} 7200.0");
    assertThat(
            metrics.text(
                () -> List.of(raided),
                Map::of,
                () -> Duration.ZERO,
                Map::of,
                new NoRecencyStatus()))
        .doesNotContain("state=\"left\"")
        .doesNotContain("raid_repair_queue_stripes");
  }

  private static FileRecord file() {
    return new FileRecord(
        FileFacts.of("/a", 7, 10, 10, 3, Instant.EPOCH),
        FileProgress.of(FileState.LEFT, "p", Instant.EPOCH),
        Optional.empty(),
        Instant.EPOCH);
  }

  private static RaidOutcome left() {
    return new RaidOutcome(
        FileState.LEFT,
        Optional.of(Reason.TOO_FEW_NODES),
        "",
        Optional.empty(),
        0,
        3,
        Optional.empty());
  }

  private static JobReport job(Stage stage, int containers) {
    return new JobReport(
        ContainerJobs.Kind.ENCODE,
        "application_1",
        "",
        NOW,
        new StripeJob.Status(stage, 0, containers, ""),
        1,
        1,
        0,
        Map.of());
  }

  @Test
  void whatHappensIsCounted() {
    metrics.becameActive(4);
    metrics.encoded(7, 100);
    metrics.encoded(8, 20);
    metrics.hedged(true);
    metrics.readInContainer(ContainerJobs.Kind.REPAIR, Distance.OFF_RACK, 300);
    metrics.jobEnded(ContainerJobs.Kind.REPAIR, false);
    metrics.looked(ContainerJobs.Kind.REPAIR, List.of(job(Stage.RUNNING, 3)), false);
    metrics.looked(
        ContainerJobs.Kind.ENCODE, List.of(job(Stage.RUNNING, 4), job(Stage.WAITING, 0)), true);
    metrics.hedgeRead(1024);
    metrics.worked("raid", file(), left());
    metrics.ended("scan", Duration.ofMillis(1500), true);
    metrics.steps().reached(Step.PINNED, "inode 7");
    assertThat(metrics.text(List::of, Map::of, () -> Duration.ZERO, Map::of, new NoRecencyStatus()))
        .contains("raid_owner_epoch 4.0")
        .contains("raid_encoded_bytes_total 120.0")
        .contains("raid_repair_hedges_total{faster=\"hedge\"} 1.0")
        .contains("raid_repair_hedge_read_bytes_total 1024.0")
        .contains(
            "raid_processed_files_total{action=\"raid\",reason=\"TOO_FEW_NODES\",state=\"left\"}"
                + " 1.0")
        .contains("raid_moved_units_total 3.0")
        .contains("raid_yarn_read_bytes_total{distance=\"off_rack\",work=\"repair\"} 300.0")
        .contains("raid_yarn_ended_jobs_total{complete=\"false\",work=\"repair\"} 1.0")
        .contains("raid_yarn_jobs{stage=\"waiting\",work=\"encode\"} 1.0")
        .contains("raid_yarn_jobs{stage=\"running\",work=\"encode\"} 1.0")
        .contains("raid_yarn_jobs{stage=\"waiting\",work=\"repair\"} 0.0")
        .contains(
            "raid_yarn_containers{work=\"encode\"} 4.0",
            "raid_yarn_containers{work=\"repair\"} 3.0")
        .contains("raid_yarn_refused{work=\"encode\"} 1.0")
        .contains("raid_yarn_refused{work=\"repair\"} 0.0")
        .contains("raid_job_last_success_timestamp_seconds{job_name=\"scan\"} 1.9065456E9")
        .contains("raid_job_runs_seconds_sum{job_name=\"scan\",result=\"done\"} 1.5")
        .contains("raid_pipeline_steps_total{pipeline=\"Step\",step=\"pinned\"} 1.0");
  }

  @Test
  void whatHasNotHappenedYetCountsAsZeroWhereTheLabelsAreKnown() {
    assertThat(scraped())
        .contains("raid_encoded_bytes_total 0.0", "raid_repair_storm 0.0")
        .contains("raid_scrub_stripes_total{depth=\"deep\"} 0.0")
        .contains("raid_detected_faults_total{fault=\"missing\",source=\"namenode\"} 0.0")
        .contains(
            "raid_build_info{commit=\"abc\",hadoop=\"3.5.0\",java=\"17\",version=\"1.0\"} 1\n");
  }

  @Test
  void eachMeterIsShownUnderItsNameWithWhatItMeasures() {
    everythingHappens();
    List<String> lines = scraped().lines().toList();

    assertThat(RaidMeter.values())
        .allSatisfy(
            meter -> {
              assertThat(lines)
                  .contains("# HELP %s %s".formatted(meter.prometheusName(), meter.what()));
              assertThat(lines)
                  .filteredOn(line -> line.startsWith(meter.prometheusName()))
                  .isNotEmpty()
                  .allSatisfy(
                      line ->
                          assertThat(labels(line))
                              .containsExactlyInAnyOrderElementsOf(meter.labels()));
            });
  }

  private void everythingHappens() {
    metrics.readInContainer(ContainerJobs.Kind.ENCODE, Distance.SAME_NODE, 1);
    metrics.jobEnded(ContainerJobs.Kind.ENCODE, true);
    metrics.looked(ContainerJobs.Kind.ENCODE, List.of(), false);
    metrics.transferred(Purpose.RAIDING, Direction.READ, Distance.SAME_RACK, 1);
    metrics.worked("raid", file(), left());
    metrics.steps().reached(Step.PINNED, "inode 7");
    metrics.audited(AuditPass.begin(NOW, 7));
    metrics.repaired(
        new RepairOutcome.Repaired(null, List.of(), UnitSet.none(), Optional.empty(), 5), 1);
    metrics.hedged(false);
    metrics.ended("scan", Duration.ofSeconds(1), true);
  }

  private static List<String> labels(String line) {
    return Pattern.compile("(\\w+)=\"")
        .matcher(line)
        .results()
        .map(label -> label.group(1))
        .toList();
  }

  private String scraped() {
    return metrics.text(
        () -> List.of(new Total(FileState.RAIDED, Optional.empty(), 2, 100, 100, 60, 300)),
        () -> Map.of("waiting", 4L),
        () -> Duration.ofMinutes(2),
        () -> Map.of(ScrubDepth.DEEP, Duration.ofHours(2)),
        sources());
  }
}
