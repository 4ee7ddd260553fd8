// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.scrub.FirstReads;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScrubSummaryTest {
  private static final Instant RAIDED = Instant.parse("2029-06-01T00:00:00Z");

  @TempDir Path folder;

  @Test
  void whoWantsNothingReadIsNotToldThatItWasNot() {
    try (Catalog catalog = Catalog.open(folder, Clock.systemUTC())) {
      catalog.scrubs().meet(7, RAIDED);

      assertThat(views(catalog, Duration.ofDays(30)).problems(RAIDED.plus(Duration.ofDays(6))))
          .isEmpty();
      assertThat(views(catalog, Duration.ofDays(30)).problems(RAIDED.plus(Duration.ofDays(8))))
          .singleElement()
          .satisfies(problem -> assertThat(problem.code()).isEqualTo("SCRUB_BEHIND"));
      assertThat(views(catalog, Duration.ZERO).problems(RAIDED.plus(Duration.ofDays(8)))).isEmpty();
    }
  }

  private static ScrubSummary views(Catalog catalog, Duration deepEvery) {
    return new ScrubSummary(
        catalog,
        new FirstReads(
            catalog.scrubs(),
            new ScrubJob.Settings(Duration.ofHours(6), deepEvery, Duration.ofDays(7))));
  }
}
