// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.scrub.ScrubPass;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditPassTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final AuditPass HALF =
      new AuditPass(
          NOON, Optional.empty(), 17, 100, 200, 300, 4, 5, 6, 7, 8, Duration.ofSeconds(50));

  @Test
  void whatIsWrittenDownIsReadBackAndNothingElseIs(@TempDir Path folder) {
    try (Catalog catalog = Catalog.open(folder, Clock.systemUTC())) {
      Notes notes = catalog.notes();
      for (AuditPass pass : List.of(HALF, HALF.end(NOON))) {
        notes.record("pass", pass);
        assertThat(notes.record("pass", AuditPass.class)).contains(pass);
      }
      notes.record("pass", ScrubPass.begin(NOON, 3, 4));
      assertThat(notes.record("pass", ScrubPass.class)).contains(ScrubPass.begin(NOON, 3, 4));
      assertThat(notes.record("pass", AuditPass.class)).as("of another kind").isEmpty();
      notes.text("pass", "2 of another version");
      assertThat(notes.record("pass", AuditPass.class)).isEmpty();
    }
  }

  @Test
  void theEndIsForetoldFromTheSpeedSoFar() {
    assertThat(HALF.rate()).isEqualTo(2);
    assertThat(HALF.estimatedEnd(NOON)).contains(NOON.plusSeconds(50));
    assertThat(HALF.end(NOON).estimatedEnd(NOON)).isEmpty();
    assertThat(AuditPass.begin(NOON, 9).estimatedEnd(NOON)).isEmpty();
  }
}
