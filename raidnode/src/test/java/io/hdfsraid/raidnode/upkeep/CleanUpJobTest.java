// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CleanUpJobTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");

  @TempDir Path folder;

  @Test
  void historyIsTrimmedAlsoWhileNothingOnHdfsCanBeSwept() throws IOException {
    Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    Clock lastYear = Clock.fixed(NOW.minus(Duration.ofDays(365)), ZoneOffset.UTC);
    try (RaidBench bench = new RaidBench();
        Catalog catalog = Catalog.open(folder, clock)) {
      Journal journal = new Journal(catalog, clock, RaidEvents.NONE);
      new Journal(catalog, lastYear, RaidEvents.NONE)
          .note("raided", Optional.empty(), "/old", true, "test", "", 0, 0);
      bench.fence =
          () -> {
            throw new IOException("safe mode");
          };
      CleanUpJob job =
          new CleanUpJob(
              bench.daemon(StepListener.NONE).janitor(),
              catalog,
              journal,
              new CleanUpJob.History(Duration.ofDays(30), 1_000),
              clock);

      assertThatThrownBy(job::run).hasMessage("safe mode");

      assertThat(catalog.history().newest(Optional.empty(), line -> true, 10, 10)).isEmpty();
    }
  }
}
