// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import com.codahale.metrics.health.HealthCheck;
import io.dropwizard.core.setup.Environment;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.health.ProbeServlet;
import io.hdfsraid.raidnode.metrics.StandbyMetricsServlet;
import io.hdfsraid.raidnode.process.OwnerProcess;
import io.hdfsraid.raidnode.rest.standby.NotReadyFilter;
import io.hdfsraid.raidnode.web.ActiveDaemonFilter;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon that stands by while another one works on the cluster: it sends whoever asks to the
 * active daemon, unless the question is how this one is. It takes over when the active daemon has
 * ended or its heartbeats have stopped.
 */
final class Standby {
  private static final Logger LOG = LoggerFactory.getLogger(Standby.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(5);

  private final OwnerWatch owner;
  private final Duration patience;
  private final Instant since;
  private volatile Look look = new Look("The daemon is about to start", true);
  private Optional<OwnerWatch.State> last = Optional.empty();
  private Optional<StandbyIndex> index = Optional.empty();

  /**
   * The result of the last look at the owner file.
   *
   * @param reason why the daemon stands by
   * @param canTakeOver whether it takes over when the active daemon ends
   */
  private record Look(String reason, boolean canTakeOver) {}

  /**
   * @param patience how long heartbeats may be missing, for messages
   */
  Standby(OwnerWatch owner, Duration patience, Clock clock) {
    this.owner = owner;
    this.patience = patience;
    this.since = clock.instant();
  }

  /** Sets the index whose problems are those of this daemon. */
  void reportOn(StandbyIndex followed) {
    index = Optional.of(followed);
  }

  /** Returns whether this daemon may try to become the active one. Ends the lease of a dead one. */
  boolean mayTakeOver() {
    try {
      OwnerWatch.State state = owner.look();
      say(state);
      last = Optional.of(state);
      return state == OwnerWatch.State.FREE || (state == OwnerWatch.State.SILENT && endsLease());
    } catch (IOException e) {
      look = new Look("The daemon stands by, and cannot ask who is active: " + firstLine(e), false);
      LOG.debug("The NameNode could not be asked who is active", e);
      return false;
    }
  }

  private boolean endsLease() {
    try {
      return owner.endLease();
    } catch (IOException e) {
      look =
          new Look(
              "The daemon cannot take over from %s, which is silent: its lease cannot be ended: %s"
                  .formatted(holder(), firstLine(e)),
              false);
      LOG.debug("The lease could not be ended", e);
      return false;
    }
  }

  private String holder() {
    return owner.holder().orElse("another process");
  }

  private void say(OwnerWatch.State state) {
    String holder = holder();
    String reason =
        switch (state) {
          case FREE -> "The daemon is about to become the active one";
          case HELD -> "The daemon stands by: %s works on this cluster".formatted(holder);
          case RESERVED ->
              "The daemon stands by: the last one has left its work to another, which has %d s to begin"
                  .formatted(OwnerWatch.RESERVED_FOR.toSeconds());
          case SILENT ->
              "%s has sent no heartbeat for %d s: the daemon takes over"
                  .formatted(holder, patience.toSeconds());
          case GONE ->
              "The daemon stands by, and the root of the parity is gone with its owner file. If the cluster is to be raided again, restart the daemon";
        };
    look = new Look(reason, state != OwnerWatch.State.GONE);
    if (last.filter(state::equals).isEmpty() && state != OwnerWatch.State.FREE) {
      LOG.atLevel(
              state == OwnerWatch.State.HELD || state == OwnerWatch.State.RESERVED
                  ? org.slf4j.event.Level.INFO
                  : org.slf4j.event.Level.WARN)
          .log("{}", reason);
    }
  }

  /**
   * Returns when this daemon may try to become the active one.
   *
   * @param isStopped whether this daemon was told to end
   * @param renewLogin renews the login at the Kerberos server, which may take long to answer
   */
  void await(BooleanSupplier isStopped, Runnable renewLogin) throws InterruptedException {
    ScheduledExecutorService login =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "standby-login");
              thread.setDaemon(true);
              return thread;
            });
    try {
      ScheduledFuture<?> unused =
          login.scheduleWithFixedDelay(
              () -> renew(renewLogin), 0, BETWEEN_RENEWALS.toMillis(), TimeUnit.MILLISECONDS);
      do {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
        if (isStopped.getAsBoolean()) {
          throw new InterruptedException("The daemon was stopped while it stood by");
        }
      } while (!mayTakeOver());
    } finally {
      login.shutdownNow();
    }
  }

  /** Renews the login. An exception would cancel all later renewals. */
  private static void renew(Runnable login) {
    try {
      login.run();
    } catch (RuntimeException e) {
      LOG.warn("The login could not be renewed; it is tried again", e);
    }
  }

  /** Sends to the active daemon who may ask this one. */
  void redirect(Environment environment) {
    environment
        .servlets()
        .addFilter("active", new ActiveDaemonFilter(owner::address))
        .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
  }

  /** Registers the answers of both ports. */
  void answer(Environment environment) {
    environment
        .admin()
        .addServlet("prometheus", new StandbyMetricsServlet())
        .addMapping("/metrics");
    NotReadyFilter.addTo(
        environment.jersey(),
        () -> look.reason(),
        "Ask again: the daemon that works on the cluster has not said yet where it answers.",
        this::report);
    environment
        .healthChecks()
        .register(
            "standby",
            new HealthCheck() {
              @Override
              protected Result check() throws IOException {
                String reason = look.reason();
                String problem = report().problem();
                if (problem.isEmpty()) {
                  return Result.healthy(reason);
                }
                return Result.unhealthy(problem.equals(reason) ? problem : reason + ". " + problem);
              }
            });
    ProbeServlet.addTo(environment.admin(), () -> false);
  }

  /** Returns how this daemon is. */
  DaemonReport report() throws IOException {
    Look seen = look;
    Optional<DaemonReport.Index> followed = index.map(StandbyIndex::report);
    return new DaemonReport(
        DaemonReport.Role.STANDBY,
        Build.current().version(),
        OwnerProcess.current().toString(),
        since,
        Optional.empty(),
        Optional.of(
            new DaemonReport.Standby(
                seen.reason(),
                owner.holder(),
                owner.address().map(Standby::withoutSlash),
                patience,
                followed)),
        seen.canTakeOver() ? problem(followed) : seen.reason());
  }

  private static String problem(Optional<DaemonReport.Index> followed) {
    return followed
        .map(DaemonReport.Index::problem)
        .filter(problem -> !problem.isEmpty())
        .map("Its index of the namespace is not up to date: "::concat)
        .orElse("");
  }

  private static String withoutSlash(URI address) {
    return address.toString().replaceAll("/+$", "");
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason was given");
  }
}
