// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import com.codahale.metrics.health.HealthCheck;
import io.dropwizard.core.setup.Environment;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.health.NameNodeWatch.Outage;
import io.hdfsraid.raidnode.health.ProbeServlet;
import io.hdfsraid.raidnode.rest.NotReadyFilter;

/** Answers on both ports until the NameNode can be worked with. */
final class Waiting {
  private final NameNodeWatch nameNode;

  Waiting(NameNodeWatch nameNode) {
    this.nameNode = nameNode;
  }

  /** Registers the answers of both ports. */
  void answer(Environment environment) {
    NotReadyFilter.addTo(
        environment.jersey(),
        this::reason,
        "The daemon goes on by itself as soon as the NameNode can be worked with.");
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
