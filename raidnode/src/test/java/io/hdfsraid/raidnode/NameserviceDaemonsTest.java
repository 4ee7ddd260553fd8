// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import io.hdfsraid.raidnode.web.Browser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameserviceDaemonsTest {
  private static final List<String> NAMES = List.of("ns1", "ns2");

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, Wiring> wirings = new HashMap<>();
  private final StubWiring first = new StubWiring();
  private final StubWiring second = new StubWiring();
  private NameserviceDaemons daemons;
  private URI rest;
  private URI admin;

  @BeforeEach
  void write() throws IOException {
    wirings.put("ns1", first);
    wirings.put("ns2", second);
    Files.writeString(
        folder.resolve("raidnode.yml"),
        """
        catalog: {directory: catalog}
        coding: {kernel: portable}
        api: {withoutToken: admin}
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
        """);
    Files.writeString(folder.resolve("policies.yml"), "policies: []\n");
  }

  @AfterEach
  void stop() {
    if (daemons != null) {
      daemons.close();
    }
  }

  /** A process with a daemon for each nameservice. */
  private final class Wirings implements Wiring {
    @Override
    public Daemon wire(Settings settings, RaidMetrics metrics, Clock clock, Opened opened) {
      throw new AssertionError("The process itself has no nameservice");
    }

    @Override
    public Wiring of(String nameservice) {
      return wirings.get(nameservice);
    }
  }

  private void start() throws Exception {
    daemons =
        NameserviceDaemons.start(
            folder.resolve("raidnode.yml"),
            NAMES,
            new Wirings(),
            Clock.systemUTC(),
            (forPeople, forMonitoring) -> {
              rest = forPeople;
              admin = forMonitoring;
            });
  }

  private HttpResponse<String> get(URI root, String path) throws Exception {
    return http.send(HttpRequest.newBuilder(root.resolve(path)).build(), BodyHandlers.ofString());
  }

  private RaidNodeClient client(String nameservice) {
    return RaidNodeClient.at(rest.resolve("/ns/" + nameservice));
  }

  private void awaitAnswer(URI root, String path, int status) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (get(root, path).statusCode() != status) {
      assertThat(System.nanoTime()).as("%s: not %d", path, status).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void eachNameserviceAnswersBelowItsName() throws Exception {
    start();
    awaitAnswer(admin, "/ready", 200);

    for (String name : NAMES) {
      assertThat(client(name).version().version()).as(name).isNotEmpty();
      assertThat(get(rest, "/ns/%s/".formatted(name)).body()).contains("<title>HDFS-RAID");
      assertThat(get(rest, "/ns/%s/page/api.js".formatted(name)).statusCode()).isEqualTo(200);
      assertThat(get(admin, "/ns/%s/metrics".formatted(name)).body()).contains("raid_");
      assertThat(get(admin, "/ns/%s/healthcheck".formatted(name)).statusCode()).isEqualTo(200);
      assertThat(get(admin, "/ns/%s/ready".formatted(name)).statusCode()).isEqualTo(200);
      assertThat(folder.resolve("catalog").resolve(name)).isDirectory();
    }
    assertThat(get(rest, "/ns/ns3/api/v1/status").statusCode()).isEqualTo(404);
    assertThat(get(rest, "/ns/ns11/api/v1/version").statusCode()).isEqualTo(404);
    second.ready.set(false);
    assertThat(get(admin, "/ready").statusCode()).isEqualTo(503);
    assertThat(get(admin, "/ns/ns1/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void aRequestThatNamesNoneIsToldTheirNames() throws Exception {
    start();

    HttpResponse<String> page = get(rest, "/");
    assertThat(page.statusCode()).isEqualTo(302);
    assertThat(page.headers().firstValue("Location").orElseThrow()).endsWith("/ns/ns1/");
    assertThat(get(rest, "/ns/").body()).isEqualTo("[\"ns1\",\"ns2\"]");
    assertThat(get(rest, "/page/app.js").statusCode()).as("documents show it").isEqualTo(200);
    assertThatThrownBy(() -> RaidNodeClient.at(rest).status())
        .isInstanceOfSatisfying(
            RaidNodeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("several nameservices")
        .extracting(e -> ((RaidNodeException) e).hint())
        .asString()
        .contains("/ns/ns1, /ns/ns2", "--nameservice ns1");
  }

  @Test
  void aPageShowsItsNameserviceAndLeadsToTheOthers() throws Exception {
    Optional<Browser> found = Browser.start(folder.resolve("profile"));
    assumeTrue(found.isPresent(), "No chromium and chromedriver are on the path");
    try (Browser browser = found.get()) {
      start();
      awaitAnswer(admin, "/ready", 200);

      browser.open(rest, "nodes");
      browser.await("ns1", "ns2", "DataNodes");
      assertThat(browser.count("a[aria-current=true][href='/ns/ns1/#/nodes']")).isEqualTo(1);
      assertThat(browser.barriers()).isEmpty();
      browser.click("ns2");
      browser.until(() -> browser.count("a[aria-current=true][href='/ns/ns2/#/nodes']") == 1);
      browser.await("DataNodes");
      browser.until(() -> browser.count("html[data-live]") == 1);
      browser.click("About");
      browser.await("Erasure codes");
      assertThat(browser.count("a[href='api/v1/openapi.json']")).isEqualTo(1);
    }
  }

  @Test
  void oneThatCannotStartHoldsUpNoneOfTheOthers() throws Exception {
    wirings.put(
        "ns2",
        (settings, metrics, clock, opened) -> {
          throw new IOException("its NameNode is no NameNode");
        });
    start();
    awaitAnswer(admin, "/ns/ns1/ready", 200);
    awaitAnswer(admin, "/ns/ns2/ready", 503);

    assertThat(client("ns1").version().version()).isNotEmpty();
    assertThatThrownBy(() -> client("ns2").version())
        .isInstanceOfSatisfying(
            RaidNodeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY));
    assertThat(get(admin, "/ready").statusCode()).isEqualTo(503);
    assertThat(get(admin, "/ns/ns2/healthcheck"))
        .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(500))
        .satisfies(answer -> assertThat(answer.body()).contains("its NameNode is no NameNode"));
    DaemonReport waiting = client("ns2").daemon();
    assertThat(waiting.role()).isEqualTo(DaemonReport.Role.WAITING);
    assertThat(waiting.problem()).contains("its NameNode is no NameNode");
  }

  @Test
  void oneStandsByWhileAnotherIsActive() throws Exception {
    StandbyTest.Watch watch = new StandbyTest.Watch();
    wirings.put("ns2", new StandbyTest.StandingBy(watch, second));
    start();
    awaitAnswer(admin, "/ns/ns1/ready", 200);
    awaitAnswer(rest, "/ns/ns2/api/v1/status", 307);

    assertThat(get(rest, "/ns/ns2/api/v1/status").headers().firstValue("Location"))
        .contains("https://raid1.example:8090/ns/ns2/api/v1/status");
    assertThat(client("ns1").daemon().role()).isEqualTo(DaemonReport.Role.ACTIVE);
    assertThat(client("ns2").daemon().role()).isEqualTo(DaemonReport.Role.STANDBY);
    assertThatThrownBy(() -> RaidNodeClient.at(rest).daemon())
        .isInstanceOf(RaidNodeException.class)
        .hasMessageContaining("several nameservices");

    watch.state = OwnerWatch.State.FREE;
    awaitAnswer(admin, "/ready", 200);
    assertThat(client("ns2").daemon().role()).isEqualTo(DaemonReport.Role.ACTIVE);
  }

  @Test
  void aDaemonThatIsDeposedStandsByAndStartsAgain() throws Exception {
    CountDownLatch again = new CountDownLatch(2);
    wirings.put(
        "ns2",
        (settings, metrics, clock, opened) -> {
          again.countDown();
          return again.getCount() > 0
              ? second.wire(settings, metrics, clock, opened)
              : new StubWiring().wire(settings, metrics, clock, opened);
        });
    start();
    awaitAnswer(admin, "/ready", 200);

    boolean ended = second.end.complete("another daemon has taken over");

    assertThat(ended).isTrue();
    assertThat(again.await(1, TimeUnit.MINUTES)).as("it is started again").isTrue();
    awaitAnswer(admin, "/ready", 200);
    assertThat(first.stopped).as("the other goes on").isEmpty();
  }

  @Test
  void allEndWithTheProcess() throws Exception {
    start();
    awaitAnswer(admin, "/ready", 200);

    daemons.close();

    assertThat(first.stopped).containsExactly("last", "first");
    assertThat(second.stopped).containsExactly("last", "first");
    assertThatThrownBy(() -> get(rest, "/")).isInstanceOf(IOException.class);
  }
}
