// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.recency.RecencyStatus;
import java.util.List;

/** Checks the sources of accesses. If none can be trusted, no file is found to be cold. */
public final class RecencyHealth extends HealthCheck {
  private final RecencyStatus sources;

  public RecencyHealth(RecencyStatus sources) {
    this.sources = sources;
  }

  @Override
  protected Result check() {
    List<String> problems =
        sources.states().stream()
            .flatMap(state -> state.problem().map(text -> state.name() + ": " + text).stream())
            .toList();
    return problems.isEmpty() ? Result.healthy() : Result.unhealthy(String.join("; ", problems));
  }
}
