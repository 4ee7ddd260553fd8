package io.hdfsraid.raidnode;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.recency.SourceReports;
import io.hdfsraid.raidnode.rest.Services;
import io.hdfsraid.raidnode.schedule.Schedule;
import java.util.Map;

/**
 * The parts of a daemon that the frame around them needs.
 *
 * @param health by name
 */
public record Daemon(
    Catalog catalog,
    Schedule schedule,
    Services services,
    SourceReports sources,
    Map<String, HealthCheck> health) {
  public Daemon {
    health = Map.copyOf(health);
  }
}
