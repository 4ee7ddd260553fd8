// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.hdfs.NameNodeTrouble;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class StartAndStopTest {

  @TempDir Path folder;

  private final StubWiring wiring = new StubWiring();

  @Test
  void jobsStopFirstThenAllIsClosedInTheOppositeOrder() throws Exception {
    RunningRaidNode node = start(StubWiring.settings(folder));
    assertThat(wiring.stopped).isEmpty();
    node.close();
    assertThat(wiring.stopped).containsExactly("last", "first");
    assertThatThrownBy(() -> node.daemon().schedule().runNow("scan"))
        .isInstanceOf(IllegalStateException.class);
    // The catalog is free again, and so is everything else.
    start(StubWiring.settings(folder)).close();
  }

  @Test
  void aDaemonWhoseClusterWasTakenOverStopsByItself() throws Exception {
    RunningRaidNode node = start(StubWiring.settings(folder));
    assertThat(node.isDeposed()).isFalse();
    wiring.end.complete("Another RaidNode has taken over");
    node.join();
    assertThat(node.isDeposed()).isTrue();
    node.close(); // waits for the end, if it is not over
    assertThat(wiring.stopped).containsExactly("last", "first");
  }

  @Test
  void itsEndIsLoggedOnceWhenItBeginsAndOnceWhenAllIsClosed() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(RaidNode.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    RunningRaidNode node = start(StubWiring.settings(folder));
    Level usual = log.getLevel();
    log.setLevel(Level.INFO);
    log.addAppender(lines);
    try {
      node.close();
    } finally {
      log.detachAppender(lines);
      log.setLevel(usual);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "RaidNode is stopping: running jobs are interrupted and continue at the next start",
            "RaidNode has stopped");
  }

  private RunningRaidNode start(Settings settings) throws StartException {
    return RaidNode.start(settings, wiring, Clock.systemUTC());
  }

  @Test
  void aTakenPortIsNamedAndNothingStaysOpen() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Settings settings = StubWiring.settings(folder);
      settings.node().listenOn(taken.getLocalPort(), 0);
      assertThatThrownBy(() -> start(settings))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("Address already in use")
          .hasMessageContaining("choose another port");
      assertThat(wiring.stopped).containsExactly("last", "first");
    }
  }

  @Test
  void whatFailsWhileItIsPutTogetherLeavesNothingOpen() {
    Wiring failing =
        (settings, metrics, clock, opened) -> {
          wiring.wire(settings, metrics, clock, opened);
          throw new IOException("The disk is full");
        };
    assertThatThrownBy(
            () -> RaidNode.start(StubWiring.settings(folder), failing, Clock.systemUTC()))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("The disk is full");
    assertThat(wiring.stopped).containsExactly("last", "first");
  }

  @Test
  @Timeout(60)
  void whileTheNameNodeIsAwayItSaysSoOnBothPortsAndGoesOnByItself() throws Exception {
    AtomicReference<Optional<NameNodeTrouble>> problem =
        new AtomicReference<>(Optional.of(NameNodeTrouble.silence("Connection refused")));
    Wiring patient =
        new Wiring() {
          @Override
          public Daemon wire(Settings settings, RaidMetrics metrics, Clock clock, Opened opened) {
            return wiring.wire(settings, metrics, clock, opened);
          }

          @Override
          public NameNodeWatch nameNode(Settings settings, Clock clock) {
            return new NameNodeWatch("hdfs://nn:8020", problem::get, clock);
          }
        };
    Settings settings = StubWiring.settings(folder);
    int port;
    int adminPort;
    try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = one.getLocalPort();
      adminPort = two.getLocalPort();
    }
    settings.node().listenOn(port, adminPort);
    FutureTask<RunningRaidNode> start =
        new FutureTask<>(() -> RaidNode.start(settings, patient, Clock.systemUTC()));
    Thread starter = new Thread(start);
    starter.setDaemon(true);
    starter.start();
    while (get(adminPort, "/live").isEmpty() && !start.isDone()) {
      Thread.sleep(20);
    }
    assertThat(get(adminPort, "/live").orElseThrow().statusCode()).isEqualTo(200);
    assertThat(get(adminPort, "/ready").orElseThrow().statusCode()).isEqualTo(503);
    assertThat(get(adminPort, "/healthcheck").orElseThrow().body())
        .contains("Connection refused", "\"healthy\":false");
    for (String path : List.of("/api/v1/status", "/api/v1/no-such", "/no-such")) {
      HttpResponse<String> answer = get(port, path).orElseThrow();
      assertThat(answer.statusCode()).as(path).isEqualTo(503);
      assertThat(answer.body())
          .contains("NOT_READY", "The daemon has waited for NameNode hdfs://nn:8020 since 20");
    }
    assertThat(get(port, "/").orElseThrow().body()).as("the page").startsWith("<!DOCTYPE html>");
    assertThat(start).isNotDone();
    assertThat(folder.resolve("catalog")).as("nothing is opened before").doesNotExist();

    problem.set(Optional.empty());
    try (RunningRaidNode node = start.get()) {
      assertThat(node.isDeposed()).isFalse();
      assertThat(get(port, "/api/v1/status").orElseThrow().statusCode()).isEqualTo(200);
      assertThat(get(adminPort, "/ready").orElseThrow().statusCode()).isEqualTo(200);
    }
    assertThat(wiring.stopped).containsExactly("last", "first");
  }

  private static Optional<HttpResponse<String>> get(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    try {
      return Optional.of(
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      return Optional.empty(); // nothing listens yet
    }
  }

  @Test
  void aKernelThatCannotBeUsedIsNamedBeforeAnythingIsOpened() {
    assertThatThrownBy(() -> start(StubWiring.settings(folder, "admin", "fastest")))
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith("There is no kernel fastest")
        .hasMessageEndingWith("With auto instead, one is chosen that can be used.");
    assertThat(wiring.stopped).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return new Commands(
            (Settings settings, RaidMetrics metrics, Clock clock, Opened opened) -> {
              throw new AssertionError("something was started");
            },
            folder.resolve("raidnode.yml"),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(args);
  }

  @Test
  void checkReadsBothFilesAndStartsNothing() throws Exception {
    Files.writeString(
        folder.resolve("raidnode.yml"),
        """
        raiding: {workers: 3}
        server:
          applicationConnectors: [{type: http, port: 0}]
          adminConnectors: [{type: http, port: 0}]
        """);
    Files.writeString(folder.resolve("policies.yml"), "policies: []");
    assertThat(run("check")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("are fine: 0 policies", "Warning: fs.defaultFS is file:///, which is no HDFS");
    assertThat(run("check", folder.resolve("raidnode.yml").toString())).isZero();
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void wrongSettingsAreAllNamedAndNothingIsStarted() throws Exception {
    Files.writeString(folder.resolve("raidnode.yml"), "raiding: {workers: 0}\nhdsf: {}");
    Files.writeString(folder.resolve("policies.yml"), "policies: {}");
    for (String command : new String[] {"check", "start"}) {
      err.reset();
      assertThat(run(command)).as("EX_CONFIG").isEqualTo(78);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .contains("raidnode.yml: raiding.workers: must be greater than or equal to 1")
          .contains("raidnode.yml: hdsf: is not a key here; did you mean hdfs?")
          .contains("policies.yml: policies: must be a list")
          .endsWith("Nothing was started.\n");
    }
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(run("start")).as("EX_CONFIG").isEqualTo(78);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains(folder.resolve("raidnode.yml") + ": does not exist")
        .contains(folder.resolve("policies.yml") + ": does not exist");
  }

  @Test
  void theVersionNamesWhatMattersForASupportCase() {
    assertThat(run("version")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("raidnode " + Build.current())
        .contains("REST API v1", "Hadoop client 3.", "Java ", "Formats: catalog ", "manifest ");
    out.reset();
    assertThat(run("--version")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).strip())
        .isEqualTo("raidnode " + Build.current());
  }

  @Test
  void aCommandThatIsNoneShowsTheUsage() {
    assertThat(run("strt")).as("EX_USAGE").isEqualTo(64);
    assertThat(run()).isEqualTo(64);
    assertThat(run("check", "a", "b")).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("'strt'", "Did you mean: raidnode start", "Which command?");
    assertThat(run("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("Usage: raidnode [-hV] COMMAND")
        .contains(
            "start, run ",
            "status ",
            "stop ",
            "check ",
            "token ",
            "78   the configuration is wrong");
    assertThat(run("token", "create", "--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("--role=ROLE");
  }

  @Test
  void aCatalogFolderThatCannotBeWrittenIsNamed() throws Exception {
    Path locked = Files.createDirectory(folder.resolve("locked"));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    org.junit.jupiter.api.Assumptions.assumeFalse(
        Files.isWritable(locked), "root may write everywhere");
    assertThatThrownBy(() -> start(StubWiring.settings(locked)))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("cannot be written by user");
  }
}
