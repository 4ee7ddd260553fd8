package io.hdfsraid.raidnode.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditPassTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final AuditPass HALF =
      new AuditPass(
          NOON, Optional.empty(), 17, 100, 200, 300, 4, 5, 6, 7, 8, Duration.ofSeconds(50));

  @Test
  void whatIsWrittenDownIsReadBackAndNothingElseIs() {
    assertThat(AuditPass.parse(HALF.text())).contains(HALF);
    assertThat(AuditPass.parse(HALF.end(NOON).text())).contains(HALF.end(NOON));
    assertThat(AuditPass.parse("2 of another version")).isEmpty();
  }

  @Test
  void theEndIsForetoldFromTheSpeedSoFar() {
    assertThat(HALF.rate()).isEqualTo(2);
    assertThat(HALF.estimatedEnd(NOON)).contains(NOON.plusSeconds(50));
    assertThat(HALF.end(NOON).estimatedEnd(NOON)).isEmpty();
    assertThat(AuditPass.begin(NOON, 9).estimatedEnd(NOON)).isEmpty();
  }
}
