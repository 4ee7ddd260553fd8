// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.audit.AuditRecorder;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.schedule.Schedule;
import io.hdfsraid.recency.RecencyStatus;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The parts of a daemon that the process around it needs.
 *
 * @param resources what answers the REST API, to be registered with the HTTP framework
 * @param health the health checks by name
 * @param ready whether it may change the cluster, as the NameNode said when it was last asked;
 *     answers at once
 * @param audit records requests and what they change
 * @param advertising takes the address of its API, for daemons that stand by
 * @param end completed, with the reason, when the daemon cannot go on and must end
 */
public record Daemon(
    Catalog catalog,
    Schedule schedule,
    List<Object> resources,
    RecencyStatus sources,
    Map<String, HealthCheck> health,
    BooleanSupplier ready,
    AuditRecorder audit,
    Consumer<URI> advertising,
    CompletionStage<String> end) {
  public Daemon {
    resources = List.copyOf(resources);
    health = Map.copyOf(health);
  }
}
