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
import java.util.function.Supplier;

/** Answers on both ports while a daemon cannot begin. */
final class Waiting {
  private final String check;
  private final Supplier<String> reason;
  private final String hint;
  private final Instant since;

  /**
   * @param check name of the health check that fails meanwhile
   * @param reason why the daemon cannot begin now
   * @param hint what helps
   */
  Waiting(String check, Supplier<String> reason, String hint, Clock clock) {
    this.check = check;
    this.reason = reason;
    this.hint = hint;
    this.since = clock.instant();
  }

  /** Returns what answers until the NameNode can be worked with. */
  static Waiting forNameNode(NameNodeWatch nameNode, Clock clock) {
    return new Waiting(
        "namenode",
        () -> reason(nameNode),
        "The daemon goes on by itself as soon as the NameNode can be worked with.",
        clock);
  }

  /** Registers the answers of both ports. */
  void answer(Environment environment) {
    NotReadyFilter.addTo(environment.jersey(), reason, hint, this::report);
    environment
        .healthChecks()
        .register(
            check,
            new HealthCheck() {
              @Override
              protected Result check() {
                return Result.unhealthy(reason.get());
              }
            });
    ProbeServlet.addTo(environment.admin(), () -> false);
  }

  private DaemonReport report() throws IOException {
    return DaemonReport.waiting(
        Build.current().version(), OwnerProcess.current().toString(), since, reason.get());
  }

  private static String reason(NameNodeWatch nameNode) {
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
