// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck.Result;
import io.hdfsraid.raidnode.hdfs.KerberosLogin.State;
import io.hdfsraid.raidnode.hdfs.KerberosLogin.Trouble;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KerberosHealthTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  private static Result check(State state) {
    return new KerberosHealth("raid@EXAMPLE.COM", () -> state, Clock.fixed(NOW, ZoneOffset.UTC))
        .check();
  }

  private static Optional<Trouble> failsFor(Duration time) {
    return Optional.of(new Trouble(NOW.minus(time), "no KDC answers"));
  }

  @Test
  void itTellsHowLongTheTicketLives() {
    Result result = check(new State(Optional.of(NOW.plusSeconds(90)), Optional.empty()));

    assertThat(result.isHealthy()).isTrue();
    assertThat(result.getMessage())
        .isEqualTo("The ticket of raid@EXAMPLE.COM lives for 90 s, until 2026-11-25T12:01:30Z");
  }

  @Test
  void aKdcThatIsAwayForAMomentIsNoReasonToWakeAnybody() {
    Optional<Instant> ends = Optional.of(NOW.plusSeconds(90));

    Result blip = check(new State(ends, failsFor(KerberosHealth.LONG.minusSeconds(1))));
    Result outage = check(new State(ends, failsFor(KerberosHealth.LONG)));

    assertThat(blip.isHealthy()).isTrue();
    assertThat(outage.isHealthy()).isFalse();
    assertThat(outage.getMessage()).contains("until 2026-11-25T12:01:30Z", "no KDC answers");
  }

  @Test
  void aTicketThatHasEndedIsAProblemAtOnce() {
    Result ended = check(new State(Optional.of(NOW), failsFor(Duration.ofSeconds(1))));
    Result none = check(new State(Optional.empty(), Optional.empty()));

    assertThat(ended.isHealthy()).isFalse();
    assertThat(ended.getMessage()).contains("it ended at 2026-11-25T12:00:00Z", "no KDC answers");
    assertThat(none.isHealthy()).isFalse();
  }
}
