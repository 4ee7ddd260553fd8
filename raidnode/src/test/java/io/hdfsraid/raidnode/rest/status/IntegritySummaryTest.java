// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntegritySummaryTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");

  @TempDir private Path folder;

  @Test
  void withoutTheEditLogTheAgeOfTheLastFullCheckIsShown() {
    try (Catalog catalog = Catalog.open(folder, Clock.systemUTC())) {
      IntegritySummary followed = new IntegritySummary(catalog.notes(), then -> true);
      IntegritySummary alone = new IntegritySummary(catalog.notes(), then -> false);
      assertThat(followed.lastFullCheck(NOW)).isEmpty();
      assertThat(alone.lastFullCheck(NOW)).contains(new Status.FullCheck(Optional.empty()));

      Instant full = NOW.minus(Duration.ofDays(2));
      catalog.notes().instant(Notes.LAST_FULL_CHECK, full);
      catalog.notes().instant(Notes.LAST_CHECK, NOW);
      assertThat(followed.lastFullCheck(NOW)).isEmpty();
      assertThat(alone.lastFullCheck(NOW)).contains(new Status.FullCheck(Optional.of(full)));
      assertThat(alone.lastCheck()).contains(NOW);
    }
  }
}
