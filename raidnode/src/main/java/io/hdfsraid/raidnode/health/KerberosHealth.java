// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.hdfs.KerberosLogin;
import io.hdfsraid.raidnode.hdfs.KerberosLogin.State;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** Checks that the daemon has a Kerberos ticket and gets new ones. */
public final class KerberosHealth extends HealthCheck {
  /** A KDC that is restarted is away for a shorter time. */
  static final Duration LONG = Duration.ofMinutes(10);

  private final String principal;
  private final Supplier<State> state;
  private final Clock clock;

  public KerberosHealth(KerberosLogin login, Clock clock) {
    this(login.principal(), login::state, clock);
  }

  KerberosHealth(String principal, Supplier<State> state, Clock clock) {
    this.principal = principal;
    this.state = state;
    this.clock = clock;
  }

  @Override
  protected Result check() {
    State now = state.get();
    Instant at = clock.instant();
    Optional<Instant> ends = now.ends();
    String trouble =
        now.trouble().map(t -> "; since %s: %s".formatted(t.since(), t.why())).orElse("");
    if (ends.isEmpty() || !at.isBefore(ends.get())) {
      return Result.unhealthy(
          "%s has no valid ticket: %s%s"
              .formatted(
                  principal,
                  ends.map(end -> "it ended at " + end).orElse("there was none"),
                  trouble));
    }
    String lives =
        "The ticket of %s lives for %d s, until %s%s"
            .formatted(
                principal, Duration.between(at, ends.get()).toSeconds(), ends.get(), trouble);
    boolean failsForLong =
        now.trouble().filter(t -> !at.isBefore(t.since().plus(LONG))).isPresent();
    return failsForLong ? Result.unhealthy(lives) : Result.healthy(lives);
  }
}
