// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.Samples;
import io.hdfsraid.raidnode.catalog.StripeKey;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepairsHealthTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(RepairStatus.class)
  void onlyWhatNeedsAPersonIsUnhealthy(RepairStatus status) {
    try (Catalog catalog = Catalog.open(folder, Clock.fixed(NOON, ZoneOffset.UTC))) {
      HealthCheck unrecoverable = RepairsHealth.unrecoverable(catalog.repairs());
      HealthCheck parked = RepairsHealth.parked(catalog.repairs());
      assertThat(unrecoverable.execute().isHealthy()).isTrue();
      assertThat(parked.execute().isHealthy()).isTrue();
      catalog
          .repairs()
          .put(
              Samples.inState(
                  status,
                  new DegradedStripe(
                      new StripeKey(100, 1),
                      7,
                      "/data/a",
                      "rs-6-3",
                      UnitSet.of(1),
                      status == RepairStatus.UNRECOVERABLE ? -1 : 2,
                      "NAMENODE",
                      NOON,
                      0,
                      0),
                  "",
                  NOON));
      assertThat(unrecoverable.execute().isHealthy())
          .isEqualTo(status != RepairStatus.UNRECOVERABLE);
      assertThat(parked.execute().isHealthy()).isEqualTo(status != RepairStatus.PARKED);
    }
  }

  @Test
  void theMessageSaysHowManyAndWhatToDo() {
    try (Catalog catalog = Catalog.open(folder, Clock.fixed(NOON, ZoneOffset.UTC))) {
      catalog
          .repairs()
          .put(
              Samples.inState(
                  RepairStatus.PARKED,
                  new DegradedStripe(
                      new StripeKey(100, 1),
                      7,
                      "/data/a",
                      "rs-6-3",
                      UnitSet.of(1),
                      2,
                      "NAMENODE",
                      NOON,
                      0,
                      0),
                  "no room",
                  NOON));
      assertThat(RepairsHealth.parked(catalog.repairs()).execute().getMessage())
          .isEqualTo(
              "Stripes that are PARKED: 1. Their repair was set aside; raidshell repairs says why");
    }
  }
}
