// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Budget;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.RunSettings;
import io.hdfsraid.policies.RunSettings.Misfire;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.recency.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastRunsTest {
  private static final Instant BEGIN = Instant.parse("2026-11-23T00:00:00Z");
  private static final String NIGHTLY = "0 0 2 * * ?";
  private static final Policy COLD = policy("cold", NIGHTLY, Misfire.RUN, ZoneOffset.UTC);
  private static final Policy OTHER = policy("other", NIGHTLY, Misfire.RUN, ZoneOffset.UTC);

  @TempDir private Path folder;
  private final SettableClock clock = new SettableClock(BEGIN);
  private Catalog catalog;
  private LastRuns runs;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, clock);
    runs = new LastRuns(catalog.notes(), clock);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private static Policy policy(String name, String cron, Misfire misfire, ZoneId zone) {
    return new Policy(
            name,
            List.of(PathGlob.of("/data")),
            List.of(),
            Duration.ofDays(90),
            Duration.ZERO,
            0,
            new Protection("rs-10-4", 1, 1),
            Optional.empty())
        .running(
            new RunSettings(
                Optional.of(cron), misfire, zone, TimeWindows.NONE, Optional.empty(), Budget.NONE));
  }

  @Test
  void aNewPolicyHasMissedNothingAndThenWhatCameSinceItsLastRunAlsoOverARestart() {
    assertThat(runs.of(COLD)).isEqualTo(BEGIN);
    clock.pass(Duration.ofHours(2));
    Instant ran = runs.began(COLD);
    assertThat(ran).isEqualTo(BEGIN.plus(Duration.ofHours(2)));
    assertThat(runs.of(OTHER)).isEqualTo(ran);

    close();
    clock.pass(Duration.ofDays(3));
    open();

    assertThat(runs.of(COLD)).isEqualTo(ran);
  }

  @Test
  void byAnotherScheduleNothingWasMissed() {
    Instant unused = runs.began(COLD);
    clock.pass(Duration.ofDays(1));
    for (Policy changed :
        List.of(
            policy("cold", "0 0 3 * * ?", Misfire.RUN, ZoneOffset.UTC),
            policy("cold", NIGHTLY, Misfire.RUN, ZoneId.of("America/Los_Angeles")),
            policy("cold", NIGHTLY, Misfire.SKIP, ZoneOffset.UTC))) {
      clock.pass(Duration.ofDays(1));
      assertThat(runs.of(changed)).isEqualTo(clock.instant());
    }
  }

  @Test
  void aPolicyThatComesBackHasMissedNothing() {
    Instant unused = runs.began(COLD);
    clock.pass(Duration.ofDays(1));
    runs.keep(Policies.of(OTHER));
    clock.pass(Duration.ofDays(100));
    assertThat(runs.of(COLD)).isEqualTo(clock.instant());
  }

  @Test
  void aClockThatWasWrongKeepsNoPolicyFromRunning() {
    clock.pass(Duration.ofDays(3650));
    Instant unused = runs.began(COLD);
    clock.pass(Duration.ofDays(-3650));
    assertThat(runs.of(COLD)).isEqualTo(clock.instant());
  }
}
