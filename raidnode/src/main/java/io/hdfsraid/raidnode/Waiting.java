// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import com.codahale.metrics.health.HealthCheck;
import io.dropwizard.core.setup.Environment;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.health.NameNodeWatch.Outage;
import io.hdfsraid.raidnode.health.ProbeServlet;
import io.hdfsraid.raidnode.process.OwnerProcess;
import io.hdfsraid.raidnode.rest.standby.NotReadyFilter;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;

/** Answers on both ports until the NameNode can be worked with. */
final class Waiting {
  private final NameNodeWatch nameNode;
  private final Instant since;

  Waiting(NameNodeWatch nameNode, Clock clock) {
    this.nameNode = nameNode;
    this.since = clock.instant();
  }

  /** Registers the answers of both ports. */
  void answer(Environment environment) {
    NotReadyFilter.addTo(
        environment.jersey(),
        this::reason,
        "The daemon goes on by itself as soon as the NameNode can be worked with.",
        this::report);
    environment
        .healthChecks()
        .register(
            "namenode",
            new HealthCheck() {
              @Override
              protected Result check() {
                return Result.unhealthy(reason());
              }
            });
    ProbeServlet.addTo(environment.admin(), () -> false);
  }

  private DaemonReport report() throws IOException {
    return DaemonReport.waiting(
        Build.current().version(), OwnerProcess.current().toString(), since, reason());
  }

  private String reason() {
    return nameNode
        .outage()
        .map(Waiting::reason)
        .orElse("The NameNode can be worked with, and the daemon is about to start");
  }

  private static String reason(Outage outage) {
    return "The daemon has waited for NameNode %s since %s: %s"
        .formatted(outage.nameNode(), outage.since(), outage.trouble().why());
  }
}
