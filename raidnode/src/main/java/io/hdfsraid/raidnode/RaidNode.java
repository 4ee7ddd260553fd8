// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.dropwizard.core.Application;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.lifecycle.AutoCloseableManager;
import io.dropwizard.logging.common.BootstrapLogging;
import io.dropwizard.metrics.servlets.ThreadDumpServlet;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidnode.access.KerberosCallers;
import io.hdfsraid.raidnode.access.KnownTokens;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TokensFile;
import io.hdfsraid.raidnode.audit.AuditRecorder;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.config.ApiSettings;
import io.hdfsraid.raidnode.config.EffectiveSettings;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.diagnosis.ConfServlet;
import io.hdfsraid.raidnode.diagnosis.JmxServlet;
import io.hdfsraid.raidnode.hdfs.AuditedProcess;
import io.hdfsraid.raidnode.hdfs.OwnedByAnotherException;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.health.ProbeServlet;
import io.hdfsraid.raidnode.metrics.MetricsServlet;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import io.hdfsraid.raidnode.rest.EncodedBodies;
import io.hdfsraid.raidnode.rest.KnownQueryParameters;
import io.hdfsraid.raidnode.rest.ProblemPages;
import io.hdfsraid.raidnode.rest.access.AccessFilter;
import io.hdfsraid.raidnode.rest.access.AuditLog;
import io.hdfsraid.raidnode.rest.access.Authentication;
import io.hdfsraid.raidnode.rest.access.CauseFilter;
import io.hdfsraid.raidnode.rest.access.HostFilter;
import io.hdfsraid.raidnode.rest.access.RoleFeature;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.raidnode.web.BookServlet;
import io.hdfsraid.raidnode.web.LiveServlet;
import io.hdfsraid.raidnode.web.PageServlet;
import io.hdfsraid.recency.rocksdb.DatabaseException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * The process around the daemon: HTTP, metrics, health, start and stop. A {@link Wiring} supplies
 * the parts of the daemon. Several daemons can run in one process.
 */
public final class RaidNode extends Application<RaidNodeConfiguration> {
  private static final Logger LOG = LoggerFactory.getLogger(RaidNode.class);

  /** The paths of the admin port that monitoring reads; all others tell or change more. */
  private static final Set<String> MONITORING = Set.of("/metrics", "/healthcheck", "/ping");

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE");

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  private final Settings settings;
  private final Wiring wiring;
  private final Clock clock;
  private final Listening listening;
  private final HttpPlace http;
  private final Opened opened = new Opened();
  private Optional<KerberosCallers> kerberos = Optional.empty();
  private Daemon daemon;
  private RaidMetrics metrics;

  /** See {@code bin/raidnode}, which names the folder of the configuration. */
  public static void main(String[] args) {
    // Until the configuration is read, which says what is logged; the default of Logback is DEBUG.
    BootstrapLogging.bootstrap(Level.WARN);
    AuditedProcess.name();
    System.exit(commands().run(args));
  }

  private static Commands commands() {
    Path conf = Path.of(System.getProperty("hdfsraid.conf", "conf"));
    return new Commands(new HdfsWiring(), conf.resolve("raidnode.yml"), System.out, System.err);
  }

  /** Returns the command line with all commands; for documents. */
  public static CommandLine commandLine() {
    return commands().line();
  }

  /** Told where the daemon listens, also while it waits for its NameNode. */
  @FunctionalInterface
  interface Listening {
    void at(URI rest, URI admin) throws IOException;
  }

  RaidNode(Settings settings, Wiring wiring, Clock clock, Listening listening, HttpPlace http) {
    this.http = http;
    this.settings = settings;
    this.wiring = wiring;
    this.clock = clock;
    this.listening = listening;
  }

  /**
   * Starts a daemon in this process. Logging stays as it is.
   *
   * @throws StartException when something outside keeps it from starting; nothing is left open
   */
  public static RunningRaidNode start(Settings settings, Wiring wiring, Clock clock)
      throws StartException {
    return start(settings, wiring, clock, (rest, admin) -> {});
  }

  static RunningRaidNode start(Settings settings, Wiring wiring, Clock clock, Listening listening)
      throws StartException {
    return new RaidNode(settings, wiring, clock, listening, HttpPlace.OWN_PORTS).start();
  }

  RunningRaidNode start() throws StartException {
    Server server = null;
    try {
      KernelChoice.begin(settings.node().coding().kernel());
      kerberos = wiring.kerberosCallers(settings);
      wire();
      server = build(this::serve);
      HttpPlace.Addresses there = http.start(server);
      server.addEventListener(new ShutdownLog());
      RunningRaidNode running = new RunningRaidNode(daemon, server, there);
      LOG.info(
          "RaidNode is ready: REST on {}/api/v1, metrics on {}/metrics",
          running.address(),
          running.adminAddress());
      listening.at(running.address(), running.adminAddress());
      daemon
          .advertising()
          .accept(
              settings.node().standby().address().orElseGet(() -> reachable(running.address())));
      return running;
    } catch (InterruptedException e) {
      stop(server);
      opened.close();
      Thread.currentThread().interrupt();
      throw new StartException(ExitCode.TROUBLE, "The daemon was stopped before it was ready", e);
    } catch (Exception e) {
      stop(server);
      opened.close();
      throw failure(e);
    }
  }

  /** How the turn of this daemon came. */
  private enum Turn {
    /** It does not stand by. */
    NOT_AWAITED,
    AT_ONCE,
    /** It has stood by. */
    AWAITED
  }

  /** Returns when this daemon is the active one. */
  private void wire() throws Exception {
    boolean hasStoodBy = false;
    while (true) {
      awaitNameNode();
      Turn turn = awaitTurn();
      hasStoodBy |= turn == Turn.AWAITED;
      metrics = opened.add(new RaidMetrics(Versions.report(), clock));
      try {
        daemon = wiring.wire(settings, metrics, clock, opened);
        return;
      } catch (OwnedByAnotherException e) {
        if (turn == Turn.NOT_AWAITED) {
          throw e;
        }
        standByAgain(e);
      } catch (RefusedException e) {
        throw e;
      } catch (IOException e) { // such as that of a NameNode that fails over
        if (!hasStoodBy) {
          throw e;
        }
        standByAgain(e);
      }
    }
  }

  private void standByAgain(IOException because) throws InterruptedException {
    LOG.warn(
        "The daemon could not become the active one, and tries again: {}", Failures.words(because));
    opened.close();
    TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
  }

  /** Returns when no other daemon is active. Until then it answers that it stands by. */
  private Turn awaitTurn() throws Exception {
    Optional<OwnerWatch> watch = wiring.owner(settings);
    if (watch.isEmpty()) {
      return Turn.NOT_AWAITED;
    }
    try (OwnerWatch owner = watch.get();
        Opened following = new Opened()) {
      Standby standby =
          new Standby(owner, settings.node().standby().takeOverAfter().toJavaDuration(), clock);
      if (standby.mayTakeOver()) {
        return Turn.AT_ONCE;
      }
      wiring.standbyIndex(settings, clock).map(following::add).ifPresent(standby::reportOn);
      Server server = build(standby::answer, standby::redirect);
      try {
        HttpPlace.Addresses there = http.start(server);
        LOG.info(
            "The daemon stands by; REST sends to the active daemon on {}/api/v1", there.rest());
        listening.at(there.rest(), there.admin());
        standby.await(() -> !server.isRunning(), wiring::renewLogin);
      } finally {
        stop(server);
      }
    }
    return Turn.AWAITED;
  }

  /** The name of this machine, unless the daemon listens at one address of it only. */
  private URI reachable(URI rest) {
    URI listens = rest.resolve("/"); // whoever is sent there has the path of a nameservice already
    try {
      Optional<String> bound =
          settings.node().httpConnectors().stream()
              .findFirst()
              .map(HttpConnectorFactory::getBindHost);
      return bound.isPresent() && !InetAddress.getByName(bound.get()).isAnyLocalAddress()
          ? listens
          : new URI(
              listens.getScheme(),
              null,
              InetAddress.getLocalHost().getCanonicalHostName(),
              listens.getPort(),
              null,
              null,
              null);
    } catch (UnknownHostException | URISyntaxException e) {
      return listens;
    }
  }

  /** Returns when the NameNode can be worked with. Until then both ports say that it cannot. */
  private void awaitNameNode() throws Exception {
    NameNodeWatch nameNode = wiring.nameNode(settings, clock);
    nameNode.look();
    if (nameNode.outage().isEmpty()) {
      return;
    }
    Server server = build(environment -> Waiting.forNameNode(nameNode, clock).answer(environment));
    try {
      HttpPlace.Addresses there = http.start(server);
      LOG.info("The daemon waits; until it goes on, REST answers 503 on {}/api/v1", there.rest());
      listening.at(there.rest(), there.admin());
      while (nameNode.outage().isPresent()) {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
        if (!server.isRunning()) {
          throw new InterruptedException("The daemon was stopped while it waited");
        }
        nameNode.look();
      }
    } finally {
      stop(server);
    }
  }

  /** Returns a server that was not started. */
  Server build(Consumer<Environment> answers) throws Exception {
    return build(answers, environment -> {});
  }

  /**
   * @param last adds filters that see only what those of access have let pass
   */
  private Server build(Consumer<Environment> answers, Consumer<Environment> last) throws Exception {
    if (kerberos.isEmpty()) {
      kerberos = wiring.kerberosCallers(settings);
    }
    RaidNodeConfiguration configuration = settings.node();
    Bootstrap<RaidNodeConfiguration> bootstrap = new Bootstrap<>(this);
    initialize(bootstrap);
    Environment environment =
        new Environment(
            getName(),
            bootstrap.getObjectMapper(),
            bootstrap.getValidatorFactory(),
            bootstrap.getMetricRegistry(),
            bootstrap.getClassLoader(),
            bootstrap.getHealthCheckRegistry(),
            configuration);
    if (configuration.getServerFactory() instanceof AbstractServerFactory factory) {
      // Ours answer in the form of the API, whatever went wrong.
      factory.setRegisterDefaultExceptionMappers(false);
      // Jersey knows which methods a path has; this only has to let it answer.
      factory.setAllowedMethods(METHODS);
    }
    configuration.acceptLongPaths();
    configuration.getServerFactory().configure(environment);
    bootstrap.run(configuration, environment);
    PageServlet.addTo(environment.servlets());
    BookServlet.addTo(environment.servlets());
    answers.accept(environment);
    ConfServlet.addTo(environment.admin(), EffectiveSettings.of(configuration));
    JmxServlet.addTo(environment.admin(), environment.getObjectMapper());
    environment.admin().addServlet("stacks", new ThreadDumpServlet()).addMapping("/stacks");
    guard(environment);
    last.accept(environment);
    Server server = configuration.getServerFactory().build(environment);
    ProblemPages problems = new ProblemPages(environment.getObjectMapper());
    server.setErrorHandler(problems);
    environment.getApplicationContext().setErrorHandler(problems);
    server.insertHandler(new SizeLimitHandler(ProblemPages.MOST_BODY, -1));
    server.insertHandler(new EncodedBodies());
    return server;
  }

  /** Dropwizard would now send everybody's warnings to the console, whatever was configured. */
  @Override
  protected void bootstrapLogging() {}

  @Override
  public String getName() {
    return "raidnode";
  }

  @Override
  public void initialize(Bootstrap<RaidNodeConfiguration> bootstrap) {
    ObjectMapper json =
        ApiJson.configure(bootstrap.getObjectMapper())
            // A misspelt field of a request must not be taken for its default.
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    // Nor may a number or a text decide whether a change is only shown.
    for (CoercionInputShape shape :
        List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.String)) {
      json.coercionConfigFor(LogicalType.Boolean).setCoercion(shape, CoercionAction.Fail);
    }
  }

  /** Does nothing: {@link #build} adds what is served, which differs while the daemon waits. */
  @Override
  public void run(RaidNodeConfiguration configuration, Environment environment) {}

  private void serve(Environment environment) {
    // Stopped in the opposite order: first the jobs, then all that they use.
    environment.lifecycle().manage(new AutoCloseableManager(opened));
    environment.lifecycle().manage(daemon.schedule());
    daemon.resources().forEach(environment.jersey()::register);
    LiveServlet live = new LiveServlet(daemon.catalog()::sequence);
    environment.lifecycle().addEventListener(live);
    live.addTo(environment.servlets());
    daemon.health().forEach(environment.healthChecks()::register);
    environment
        .admin()
        .addServlet(
            "prometheus",
            new MetricsServlet(
                metrics,
                daemon.catalog()::totals,
                this::repairsByState,
                this::longestAtRisk,
                this::longestUnscrubbed,
                daemon.sources()))
        .addMapping("/metrics");
    ProbeServlet.addTo(environment.admin(), daemon.ready());
  }

  /** Nobody reaches anything on either port without the role that it needs. */
  private void guard(Environment environment) {
    ApiSettings api = settings.node().api();
    ObjectMapper json = environment.getObjectMapper();
    Authentication authentication =
        new Authentication(
            new KnownTokens(new TokensFile(settings.tokensFile(), clock)),
            kerberos,
            api.roleWithoutToken(),
            clock);
    AuditLog audit =
        new AuditLog(
            daemon == null ? new AuditRecorder() : daemon.audit(), api.requireReason(), clock);
    CauseFilter causes = new CauseFilter(audit, json);
    protect(environment.servlets().addFilter("cause", causes));
    protect(environment.admin().addFilter("cause", causes));
    HostFilter hosts = new HostFilter(api.hosts(), audit, json);
    protect(environment.servlets().addFilter("host", hosts));
    protect(environment.admin().addFilter("host", hosts));
    protect(
        environment
            .servlets()
            .addFilter(
                "access",
                new AccessFilter(authentication, RaidNode::requiredOfUsers, false, audit, json)));
    protect(
        environment
            .admin()
            .addFilter(
                "access",
                new AccessFilter(
                    authentication, RaidNode::requiredOfMonitoring, true, audit, json)));
    environment.jersey().register(new RoleFeature());
    environment.jersey().register(new KnownQueryParameters());
    environment.jersey().register(audit);
  }

  /** Empty for the web page and the documents, which hold no data. */
  private static Optional<Role> requiredOfUsers(HttpServletRequest request) {
    return PageServlet.answers(request) || BookServlet.answers(request)
        ? Optional.empty()
        : Optional.of(Role.VIEWER);
  }

  /** Empty for what supervisors and load balancers ask, which have no tokens. */
  private static Optional<Role> requiredOfMonitoring(HttpServletRequest request) {
    String rest = request.getPathInfo();
    String path = request.getServletPath() + (rest == null ? "" : rest);
    if (path.equals(ProbeServlet.LIVE) || path.equals(ProbeServlet.READY)) {
      return Optional.empty();
    }
    return Optional.of(MONITORING.contains(path) ? Role.METRICS : Role.ADMIN);
  }

  private static void protect(FilterRegistration.Dynamic filter) {
    filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
  }

  private Map<String, Long> repairsByState() {
    Map<String, Long> counts = new HashMap<>();
    // An empty queue is 0: an alarm cannot tell an absent number from a daemon that is down.
    for (RepairStatus status : RepairStatus.values()) {
      counts.put(status.tag(), daemon.catalog().repairs().count(status));
    }
    return counts;
  }

  private Duration longestAtRisk() {
    return daemon
        .catalog()
        .repairs()
        .longestAtRisk()
        .map(stripe -> Duration.between(stripe.damage().inDangerSince(), clock.instant()))
        .orElse(Duration.ZERO);
  }

  private Map<ScrubDepth, Duration> longestUnscrubbed() {
    Map<ScrubDepth, Duration> ages = new EnumMap<>(ScrubDepth.class);
    Instant now = clock.instant();
    daemon
        .catalog()
        .scrubs()
        .oldest()
        .forEach((depth, when) -> ages.put(depth, Duration.between(when, now)));
    return ages;
  }

  private static void stop(Server server) {
    try {
      if (server != null) {
        server.stop();
      }
    } catch (Exception e) {
      LOG.warn("The daemon did not stop cleanly", e);
    }
  }

  static StartException failure(Exception failure) {
    if (failure instanceof StartException said) {
      return said;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DatabaseException || cause instanceof RefusedException) {
        return new StartException(ExitCode.TROUBLE, cause.getMessage(), failure);
      }
      if (cause instanceof KernelUnavailableException) {
        return new StartException(
            ExitCode.CONFIGURATION,
            cause.getMessage() + ". With auto instead, one is chosen that can be used.",
            failure);
      }
      if (cause instanceof BindException) {
        return new StartException(
            ExitCode.TROUBLE,
            "%s: %s. Stop what listens there, or choose another port under 'server' in raidnode.yml."
                .formatted(failure.getMessage(), cause.getMessage()),
            failure);
      }
    }
    if (failure instanceof IOException) {
      LOG.debug("The daemon cannot start", failure);
      // What the NameNode refuses comes with its stack trace in the message.
      return new StartException(
          ExitCode.TROUBLE,
          "The daemon cannot start: "
              + failure.toString().lines().findFirst().orElse("no reason was given"),
          failure);
    }
    LOG.error("The daemon cannot start", failure);
    return new StartException(
        ExitCode.SOFTWARE,
        "The daemon cannot start: "
            + (failure.getMessage() == null ? failure : failure.getMessage()),
        failure);
  }
}
