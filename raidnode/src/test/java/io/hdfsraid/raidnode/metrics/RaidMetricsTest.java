// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.recency.NoRecencyStatus;
import io.hdfsraid.recency.RecencyStatus;
import io.hdfsraid.recency.index.RebuildResult;
import io.hdfsraid.recency.source.SourceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RaidMetricsTest {
  private enum Step {
    PINNED
  }

  private final RaidMetrics metrics = new RaidMetrics();

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
            () -> Map.of(ScrubDepth.DEEP, Duration.ofHours(2)),
            sources());
    assertThat(text)
        .contains("raid_recency_source_healthy{source=\"audit-log\"} 0.0")
        .contains("raid_recency_source_lag_seconds{source=\"audit-log\"} 90.0")
        .contains("raid_recency_source_events{kind=\"gaps\",source=\"audit-log\"} 2.0")
        .contains("raid_recency_index_drift_entries{kind=\"extra\"} 5.0")
        .contains("raid_files{reason=\"EMPTY\",state=\"left\"} 3.0")
        .contains("raid_files_bytes{reason=\"\",state=\"raided\"} 100.0")
        .contains("raid_parity_bytes{reason=\"\",state=\"raided\"} 60.0")
        .contains("raid_saved_bytes{reason=\"\",state=\"raided\"} 140.0")
        .contains("raid_repair_queue_stripes{state=\"waiting\"} 4.0")
        .contains("raid_scrub_oldest_seconds{depth=\"deep\"} 7200.0");
    assertThat(metrics.text(() -> List.of(raided), Map::of, Map::of, new NoRecencyStatus()))
        .doesNotContain("state=\"left\"")
        .doesNotContain("raid_repair_queue_stripes");
  }

  @Test
  void whatHappensIsCounted() {
    FileRecord file =
        new FileRecord(
            FileFacts.of("/a", 7, 10, 10, 3, Instant.EPOCH),
            FileProgress.of(FileState.LEFT, "p", Instant.EPOCH),
            Optional.empty(),
            Instant.EPOCH);
    metrics.encoded(7, 100);
    metrics.encoded(8, 20);
    metrics.hedged(true);
    metrics.hedgeRead(1024);
    metrics.worked(
        "raid",
        file,
        new RaidOutcome(
            FileState.LEFT,
            Optional.of(Reason.TOO_FEW_NODES),
            "",
            Optional.empty(),
            0,
            3,
            Optional.empty()));
    metrics.ended("scan", Duration.ofMillis(1500), true);
    metrics.steps().reached(Step.PINNED, "inode 7");
    assertThat(metrics.text(List::of, Map::of, Map::of, new NoRecencyStatus()))
        .contains("raid_encoded_bytes_total 120.0")
        .contains("raid_repair_hedges_total{faster=\"hedge\"} 1.0")
        .contains("raid_repair_hedge_read_bytes_total 1024.0")
        .contains(
            "raid_processed_files_total{action=\"raid\",reason=\"TOO_FEW_NODES\",state=\"left\"}"
                + " 1.0")
        .contains("raid_moved_units_total 3.0")
        .contains("raid_job_runs_seconds_sum{job=\"scan\",result=\"done\"} 1.5")
        .contains("raid_pipeline_steps_total{pipeline=\"Step\",step=\"pinned\"} 1.0");
  }
}
