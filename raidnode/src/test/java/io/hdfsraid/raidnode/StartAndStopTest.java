package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import java.io.ByteArrayOutputStream;
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
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class StartAndStopTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  @TempDir Path folder;

  private final StubWiring wiring = new StubWiring();

  @Test
  void jobsStopFirstThenAllIsClosedInTheOppositeOrder() throws Exception {
    RunningRaidNode node = start(StubWiring.settings(folder, Optional.empty()));
    assertThat(wiring.stopped).isEmpty();
    node.close();
    assertThat(wiring.stopped).containsExactly("last", "first");
    assertThatThrownBy(() -> node.daemon().schedule().runNow("scan"))
        .isInstanceOf(IllegalStateException.class);
    // The catalog is free again, and so is everything else.
    start(StubWiring.settings(folder, Optional.empty())).close();
  }

  @Test
  void aDaemonWhoseClusterWasTakenOverStopsByItself() throws Exception {
    RunningRaidNode node = start(StubWiring.settings(folder, Optional.empty()));
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
    RunningRaidNode node = start(StubWiring.settings(folder, Optional.empty()));
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
      Settings settings = StubWiring.settings(folder, Optional.empty());
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
          throw new java.io.IOException("NameNode is in safe mode");
        };
    assertThatThrownBy(
            () ->
                RaidNode.start(
                    StubWiring.settings(folder, Optional.empty()), failing, Clock.systemUTC()))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("NameNode is in safe mode");
    assertThat(wiring.stopped).containsExactly("last", "first");
  }

  @Test
  void aKernelThatCannotBeUsedIsNamedBeforeAnythingIsOpened() {
    assertThatThrownBy(() -> start(StubWiring.settings(folder, Optional.empty(), "fastest")))
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith("There is no kernel fastest")
        .hasMessageEndingWith("With auto instead, one is chosen that can be used.");
    assertThat(wiring.stopped).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void withATokenNothingIsAnsweredWithoutIt() throws Exception {
    Path file = folder.resolve("token");
    Files.writeString(file, TOKEN + "\n");
    try (RunningRaidNode node = start(StubWiring.settings(folder, Optional.of(TOKEN)))) {
      for (URI uri :
          new URI[] {
            node.address().resolve("/api/v1/status"),
            node.address().resolve("/"),
            node.adminAddress().resolve("/metrics"),
            node.adminAddress().resolve("/healthcheck"),
            node.adminAddress().resolve("/threads")
          }) {
        assertThat(get(uri, "none").statusCode()).as("%s without", uri).isEqualTo(401);
        assertThat(get(uri, "Bearer " + TOKEN.substring(1)).statusCode()).isEqualTo(401);
        assertThat(get(uri, "Basic " + TOKEN).statusCode()).isEqualTo(401);
        assertThat(get(uri, "Bearer " + TOKEN).statusCode())
            .as("%s with", uri)
            .isEqualTo(uri.getPath().equals("/") ? 404 : 200);
      }
      assertThat(get(node.address().resolve("/api/v1/status"), "none").body())
          .contains("\"code\":\"UNAUTHORIZED\"", "--token-file");
      RaidNodeClient client = RaidNodeClient.at(node.address());
      assertThat(client.withTokenFile(file).status().version()).isEqualTo("0.1.0");
      assertThatThrownBy(client::status)
          .isInstanceOf(RaidNodeException.class)
          .hasMessageContaining("requires a token");
    }
  }

  private static HttpResponse<String> get(URI uri, String authorization) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (!authorization.equals("none")) {
      request.header("Authorization", authorization);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
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
    Files.writeString(folder.resolve("raidnode.yml"), "raiding: {workers: 3}");
    Files.writeString(folder.resolve("policies.yml"), "policies: []");
    assertThat(run("check")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("are fine: 0 policies");
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
  void aCommandThatIsNoneShowsTheUsage() {
    assertThat(run("stop")).as("EX_USAGE").isEqualTo(64);
    assertThat(run()).isEqualTo(64);
    assertThat(run("check", "a", "b")).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("there is no command 'stop'")
        .contains("usage: raidnode start [raidnode.yml]");
    assertThat(run("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("usage:");
  }

  @Test
  void aCatalogFolderThatCannotBeWrittenIsNamed() throws Exception {
    Path locked = Files.createDirectory(folder.resolve("locked"));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    org.junit.jupiter.api.Assumptions.assumeFalse(
        Files.isWritable(locked), "root may write everywhere");
    assertThatThrownBy(() -> start(StubWiring.settings(locked, Optional.empty())))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("cannot be written by user");
  }
}
