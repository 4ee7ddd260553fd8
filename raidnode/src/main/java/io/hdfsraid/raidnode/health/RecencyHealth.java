package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.recency.SourceReports;
import java.util.List;

/** The sources that tell when files are used can be believed: else nothing is found to be cold. */
public final class RecencyHealth extends HealthCheck {
  private final SourceReports sources;

  public RecencyHealth(SourceReports sources) {
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
