// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.StripeKey;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtRiskHealthTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);

  @TempDir Path folder;

  private static RepairState exposed(int index, int furtherLosses, Duration time) {
    return new RepairState.Parked(
        new DegradedStripe(
            new StripeKey(100, index),
            7,
            "/data/a",
            "rs-6-3",
            UnitSet.of(1, 2, 3),
            furtherLosses,
            "NAMENODE",
            NOON.minus(time),
            0,
            0),
        "");
  }

  @Test
  void onlyAStripeThatToleratesNothingMoreForLongIsUnhealthy() {
    try (Catalog catalog = Catalog.open(folder, CLOCK)) {
      HealthCheck health = new AtRiskHealth(catalog.repairs(), CLOCK);
      assertThat(health.execute().isHealthy()).isTrue();

      catalog.repairs().put(exposed(1, 1, Duration.ofDays(2)));
      catalog.repairs().put(exposed(2, -1, Duration.ofDays(2)));
      catalog.repairs().put(exposed(3, 0, AtRiskHealth.LONGEST));
      assertThat(health.execute().isHealthy()).isTrue();

      catalog.repairs().put(exposed(4, 0, AtRiskHealth.LONGEST.plusMinutes(1)));
      assertThat(health.execute().getMessage())
          .startsWith("A stripe has tolerated no further loss for 61 minutes. ");

      catalog.repairs().remove(new StripeKey(100, 4));
      assertThat(health.execute().isHealthy()).isTrue();
    }
  }
}
