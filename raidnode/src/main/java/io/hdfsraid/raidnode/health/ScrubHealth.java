// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.ScrubLedger;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the scrubs keep up. A scrub is overdue if some parity was not scrubbed for twice the
 * interval of the settings.
 */
public final class ScrubHealth extends HealthCheck {
  private static final int LATE = 2;

  private final ScrubLedger scrubs;
  private final ScrubJob.Settings settings;
  private final Clock clock;

  public ScrubHealth(ScrubLedger scrubs, ScrubJob.Settings settings, Clock clock) {
    this.scrubs = scrubs;
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  protected Result check() {
    List<String> overdue = new ArrayList<>();
    for (ScrubDepth depth : ScrubDepth.values()) {
      overdue(depth).ifPresent(overdue::add);
    }
    return overdue.isEmpty()
        ? Result.healthy()
        : Result.unhealthy(
            "%s. raidshell status shows how far the scrubs are; scrub.* in raidnode.yml limits them",
            String.join("; ", overdue));
  }

  private Optional<String> overdue(ScrubDepth depth) {
    Duration every = settings.every(depth);
    if (every.isZero()) {
      return Optional.empty();
    }
    Instant limit = clock.instant().minus(every.multipliedBy(LATE));
    return scrubs
        .oldest(depth)
        .filter(oldest -> oldest.isBefore(limit))
        .map(
            oldest ->
                "The %s scrub is overdue: some parity was not scrubbed since %s, and the interval is %d h"
                    .formatted(depth.tag(), oldest, every.toHours()));
  }
}
