// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.hdfs.ParitySettings.AccessRule;
import io.hdfsraid.recency.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExternalAuthorizerTest {
  private final SettableClock clock = new SettableClock(Instant.parse("2029-06-01T00:00:00Z"));
  private Optional<String> provider = Optional.empty();
  private boolean unreachable;
  private int asked;

  private final ExternalAuthorizer rule =
      new ExternalAuthorizer(
          () -> {
            asked++;
            if (unreachable) {
              throw new IOException("Connection refused");
            }
            return provider;
          },
          AccessRule.INHERIT,
          clock);

  @Test
  void parityHasTheRightsOfItsFileWhereHdfsDecidesAlone() {
    assertThat(rule.get()).isEqualTo(AccessRule.INHERIT);
    assertThat(rule.get()).isEqualTo(AccessRule.INHERIT);
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void anAuthorizerThatIsSwitchedOnIsNoticed() {
    assertThat(rule.get()).isEqualTo(AccessRule.INHERIT);

    provider = Optional.of("org.apache.ranger.RangerHdfsAuthorizer");
    clock.pass(Duration.ofHours(2));

    assertThat(rule.get()).isEqualTo(AccessRule.DAEMON_ONLY);
  }

  @Test
  void withoutAnAnswerWhatWasKnownHoldsAndElseNothingIs() {
    unreachable = true;
    assertThat(rule.get()).isEqualTo(AccessRule.UNKNOWN);

    unreachable = false;
    clock.pass(Duration.ofMinutes(2));
    assertThat(rule.get()).isEqualTo(AccessRule.INHERIT);

    unreachable = true;
    clock.pass(Duration.ofHours(2));
    assertThat(rule.get()).isEqualTo(AccessRule.INHERIT);
    assertThat(asked).isEqualTo(3);
  }
}
