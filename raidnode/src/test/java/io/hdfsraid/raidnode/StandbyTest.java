// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TokensFile;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import io.hdfsraid.raidnode.process.OwnerProcess;
import io.hdfsraid.recency.source.SourceState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the answers of a daemon that stands by. */
@Timeout(60)
class StandbyTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static final SourceState IMAGE =
      new SourceState(
          "image",
          Optional.empty(),
          "",
          Optional.of(NOW.minus(Duration.ofHours(9))),
          Optional.empty(),
          Duration.ZERO,
          Optional.empty(),
          Map.of());

  @TempDir private Path folder;

  private final Map<Role, String> tokens = new EnumMap<>(Role.class);
  private final Watch watch = new Watch();
  private final StubWiring asActive = new StubWiring();
  private final BlockingQueue<URI> addresses = new LinkedBlockingQueue<>();
  private Optional<FutureTask<RunningRaidNode>> started = Optional.empty();

  /** The sight of the active daemon, which a test sets. */
  static final class Watch extends OwnerWatch {
    volatile State state = State.HELD;
    private volatile Optional<URI> address = Optional.of(URI.create("https://raid1.example:8090/"));
    private volatile Optional<IOException> silence = Optional.empty();

    /** Why the lease of the active daemon cannot be ended. */
    private volatile Optional<IOException> lease = Optional.empty();

    Watch() {
      super(null, "/.raid", PATIENCE, () -> 0);
    }

    @Override
    public State look() throws IOException {
      if (silence.isPresent()) {
        throw silence.get();
      }
      return state;
    }

    @Override
    public boolean endLease() throws IOException {
      if (lease.isPresent()) {
        throw lease.get();
      }
      return false;
    }

    @Override
    public Optional<String> holder() {
      return Optional.of("process 4711 on raid1").filter(name -> state != State.FREE);
    }

    @Override
    public Optional<URI> address() {
      return address;
    }

    @Override
    public void close() {}
  }

  /** Stands by until the watch sees nobody, and then is the active daemon. */
  static final class StandingBy implements Wiring {
    private final OwnerWatch watch;
    private final Wiring asActive;

    StandingBy(OwnerWatch watch, Wiring asActive) {
      this.watch = watch;
      this.asActive = asActive;
    }

    @Override
    public Daemon wire(Settings settings, RaidMetrics metrics, Clock clock, Opened opened)
        throws Exception {
      return asActive.wire(settings, metrics, clock, opened);
    }

    @Override
    public Optional<OwnerWatch> owner(Settings settings) {
      return Optional.of(watch);
    }

    @Override
    public Optional<StandbyIndex> standbyIndex(Settings settings, Clock clock) {
      return Optional.of(
          StandbyIndex.start(
              settings,
              (parity, time) -> {
                throw new IOException("Connection refused");
              },
              clock));
    }
  }

  /** Starts a daemon that stands by, and returns where it answers. */
  private URI start() throws Exception {
    TokensFile file = new TokensFile(folder.resolve("tokens.json"), Clock.systemUTC());
    for (Role role : Role.values()) {
      tokens.put(role, file.create("user-" + role, role, Optional.empty()).secret());
    }
    FutureTask<RunningRaidNode> start =
        new FutureTask<>(
            () ->
                RaidNode.start(
                    StubWiring.settings(folder, "none", "portable"),
                    new StandingBy(watch, asActive),
                    Clock.systemUTC(),
                    (rest, admin) -> {
                      addresses.add(rest);
                      addresses.add(admin);
                    }));
    Thread starter = new Thread(start, "standby");
    starter.setDaemon(true);
    starter.start();
    started = Optional.of(start);
    return addresses.take();
  }

  @AfterEach
  void stop() throws Exception {
    watch.silence = Optional.empty();
    watch.state = OwnerWatch.State.FREE;
    if (started.isPresent()) {
      started.get().get().close();
    }
  }

  private RaidNodeClient client(URI address) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), tokens.get(Role.VIEWER));
    return RaidNodeClient.at(address).withTokenFile(file);
  }

  private static HttpResponse<String> send(URI address, String method, String path, String token)
      throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(address + path))
            .method(method, BodyPublishers.noBody())
            .header("Authorization", "Bearer " + token)
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void itSaysHowItIsAndSendsAllOtherRequestsToTheActiveDaemon() throws Exception {
    URI address = start();

    DaemonReport daemon = client(address).daemon();

    assertThat(daemon.role()).isEqualTo(DaemonReport.Role.STANDBY);
    assertThat(daemon.process()).isEqualTo(OwnerProcess.current().toString());
    assertThat(daemon.since()).isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(daemon.epoch()).isEmpty();
    DaemonReport.Standby standby = daemon.standby().orElseThrow();
    assertThat(standby.active()).contains("process 4711 on raid1");
    assertThat(standby.address()).contains("https://raid1.example:8090");
    assertThat(standby.takeOverAfter()).hasSeconds(20);
    assertThat(standby.reason())
        .isEqualTo("The daemon stands by: process 4711 on raid1 works on this cluster");

    String token = tokens.get(Role.ADMIN);
    for (String request :
        List.of(
            "GET /api/v1/status",
            "GET /",
            "GET /nothing",
            "POST /api/v1/daemon",
            "HEAD /api/v1/daemon",
            "OPTIONS /api/v1/daemon",
            "GET /api/v1/daemon/",
            "GET /api/v1/daemon/x",
            "GET /api/v1/daemon;x=1",
            "GET /api/v1/d%61emon",
            "GET /api/v1/daemons")) {
      String[] words = request.split(" ", -1);
      HttpResponse<String> answer = send(address, words[0], words[1], token);
      assertThat(answer.statusCode()).as(request).isEqualTo(307);
      assertThat(answer.headers().firstValue("Location"))
          .contains("https://raid1.example:8090" + words[1]);
    }
    assertThat(send(address, "GET", "/api/v1/daemon?of=raid2", token).statusCode()).isEqualTo(400);
  }

  @Test
  void itSaysHowItIsAlsoBeforeItKnowsWhereTheActiveDaemonAnswers() throws Exception {
    watch.address = Optional.empty();
    URI address = start();

    assertThat(client(address).daemon().standby().orElseThrow().address()).isEmpty();
    String token = tokens.get(Role.ADMIN);
    for (String request :
        List.of(
            "GET /api/v1/status",
            "GET /nothing",
            "POST /api/v1/daemon",
            "HEAD /api/v1/daemon",
            "GET /api/v1/daemon/",
            "GET /api/v1/daemon;x=1",
            "GET /api/v1/d%61emon")) {
      String[] words = request.split(" ", -1);
      assertThat(send(address, words[0], words[1], token).statusCode()).as(request).isEqualTo(503);
    }
  }

  @Test
  void nobodyHearsHowItIsWithoutTheRoleForIt() throws Exception {
    URI address = start();

    assertThat(send(address, "GET", "/api/v1/daemon", "guess").statusCode()).isEqualTo(401);
    HttpRequest withoutToken =
        HttpRequest.newBuilder(URI.create(address + "/api/v1/daemon")).build();
    assertThat(HTTP.send(withoutToken, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    for (Role role : Role.values()) {
      assertThat(send(address, "GET", "/api/v1/daemon", tokens.get(role)).statusCode())
          .as("%s", role)
          .isEqualTo(role.includes(Role.VIEWER) ? 200 : 403);
    }
  }

  @Test
  void anIndexThatDoesNotFollowIsItsProblemUntilItIsTheActiveDaemon() throws Exception {
    URI address = start();
    URI admin = addresses.take();
    RaidNodeClient client = client(address);
    while (!client.daemon().problem().endsWith("Connection refused")) {
      Thread.onSpinWait();
    }
    assertThat(client.daemon())
        .satisfies(
            daemon ->
                assertThat(daemon.problem())
                    .isEqualTo("Its index of the namespace is not up to date: Connection refused"))
        .satisfies(
            daemon ->
                assertThat(daemon.standby().orElseThrow().index().orElseThrow().problem())
                    .isEqualTo("Connection refused"));
    assertThat(send(admin, "GET", "/healthcheck", tokens.get(Role.METRICS)).body())
        .contains(
            "works on this cluster. Its index of the namespace is not up to date: Connection");

    watch.state = OwnerWatch.State.FREE;
    try (RunningRaidNode active = started.orElseThrow().get()) {
      assertThat(client(active.address()).daemon().role()).isEqualTo(DaemonReport.Role.ACTIVE);
    }
  }

  private Standby standby() {
    return new Standby(watch, PATIENCE, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @ParameterizedTest
  @CsvSource({
    "HELD, true, works on this cluster",
    "RESERVED, true, has left its work to another",
    "SILENT, true, has sent no heartbeat for 20 s",
    "GONE, false, the root of the parity is gone"
  })
  void onlyWhereNobodyTakesOverTheLastLookIsAProblem(
      OwnerWatch.State state, boolean isWell, String words) throws IOException {
    watch.state = state;
    Standby standby = standby();
    standby.mayTakeOver();

    DaemonReport report = standby.report();

    assertThat(report.since()).isEqualTo(NOW);
    assertThat(report.standby().orElseThrow().reason()).contains(words);
    assertThat(report.standby().orElseThrow().index()).as("it follows none").isEmpty();
    assertThat(report.problem()).isEqualTo(isWell ? "" : report.standby().get().reason());
  }

  @Test
  void aDaemonThatCannotAskWhoIsActiveSaysSoUntilItCan() throws IOException {
    Standby standby = standby();
    watch.silence = Optional.of(new IOException("No route to host\nmore"));
    assertThat(standby.mayTakeOver()).isFalse();
    assertThat(standby.report().problem())
        .isEqualTo("The daemon stands by, and cannot ask who is active: No route to host");

    watch.silence = Optional.empty();
    assertThat(standby.mayTakeOver()).isFalse();
    assertThat(standby.report().problem()).isEmpty();
  }

  @Test
  void aDaemonThatMayNotEndTheLeaseOfASilentOneSaysSo() throws IOException {
    Standby standby = standby();
    watch.state = OwnerWatch.State.SILENT;
    watch.lease = Optional.of(new IOException("Permission denied"));
    assertThat(standby.mayTakeOver()).isFalse();
    assertThat(standby.report().problem())
        .isEqualTo(
            "The daemon cannot take over from process 4711 on raid1, which is silent: its lease"
                + " cannot be ended: Permission denied");
  }

  @Test
  void aViewerDoesNotSeeTheNamesOfFilesInItsProblems() throws Exception {
    watch.silence = Optional.of(new IOException("Not readable: /secret/plans"));
    URI address = start();

    assertThat(send(address, "GET", "/api/v1/daemon", tokens.get(Role.VIEWER)).body())
        .contains("cannot ask who is active: Not readable: (hidden)", "https://raid1.example:8090")
        .doesNotContain("plans");
    assertThat(send(address, "GET", "/api/v1/daemon", tokens.get(Role.OPERATOR)).body())
        .contains("Not readable: /secret/plans");
  }

  private static SourceState edits(String position, Optional<Instant> knownUntil) {
    return new SourceState(
        "inotify",
        Optional.empty(),
        position,
        knownUntil,
        Optional.empty(),
        Duration.ZERO,
        Optional.empty(),
        Map.of());
  }

  private static DaemonReport.Index index(SourceState... sources) {
    return StandbyIndex.report(List.of(sources), Optional.empty(), NOW);
  }

  @Test
  void anIndexSaysUpToWhereItFollows() {
    assertThat(index(edits("4711", Optional.of(NOW.minusSeconds(3))), IMAGE))
        .isEqualTo(
            new DaemonReport.Index(
                Optional.of(NOW.minus(Duration.ofHours(9))),
                Optional.of(4711L),
                Optional.of(NOW.minusSeconds(3)),
                Optional.of(Duration.ofSeconds(3)),
                ""));
    assertThat(index(edits("4711", Optional.of(NOW.plusSeconds(3))), IMAGE).behind())
        .as("the clock was set back")
        .contains(Duration.ZERO);
  }

  @Test
  void anIndexThatIsNotCurrentIsAProblem() {
    assertThat(index().problem()).isEqualTo("the edit log has not been read to its end yet");
    assertThat(index(edits("", Optional.empty()), IMAGE))
        .satisfies(index -> assertThat(index.transaction()).isEmpty())
        .satisfies(index -> assertThat(index.behind()).isEmpty())
        .satisfies(index -> assertThat(index.problem()).contains("not been read to its end"));
    assertThat(index(edits("4711", Optional.of(NOW.minus(Duration.ofMinutes(30))))).problem())
        .isEmpty();
    assertThat(index(edits("4711", Optional.of(NOW.minus(Duration.ofMinutes(31))))).problem())
        .isEqualTo("it knows the edit log up to 2026-03-01T11:29:00Z only");
    assertThat(StandbyIndex.report(List.of(), Optional.of("The disk is full"), NOW).problem())
        .isEqualTo("The disk is full");
  }
}
