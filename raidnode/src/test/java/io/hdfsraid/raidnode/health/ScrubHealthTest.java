// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScrubHealthTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");

  @TempDir Path folder;

  /** One parity file is known, and was never scrubbed. */
  @ParameterizedTest
  @CsvSource({
    "1, 30, 2, true",
    "1, 30, 3, false",
    "0, 30, 59, true",
    "0, 30, 61, false",
    "0, 0, 999, true"
  })
  void aScrubIsOverdueAfterTwiceItsInterval(
      long presenceDays, long deepDays, long daysAgo, boolean healthy) {
    Clock clock = Clock.fixed(NOON, ZoneOffset.UTC);
    try (Catalog catalog = Catalog.open(folder, clock)) {
      ScrubJob.Settings settings =
          new ScrubJob.Settings(
              Duration.ofDays(presenceDays), Duration.ofDays(deepDays), Duration.ofDays(7));
      HealthCheck check = new ScrubHealth(catalog.scrubs(), settings, clock);
      assertThat(check.execute().isHealthy()).isTrue();

      catalog.scrubs().meet(100, NOON.minus(Duration.ofDays(daysAgo)));

      assertThat(check.execute().isHealthy()).isEqualTo(healthy);
      if (!healthy) {
        assertThat(check.execute().getMessage())
            .contains(" scrub is overdue", "not scrubbed since 2029-0");
      }
    }
  }
}
