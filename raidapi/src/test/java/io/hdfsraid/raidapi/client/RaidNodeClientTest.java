// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.policies.ValidatePoliciesRequest;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidapi.repairs.CancelRepairRequest;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidapi.windows.WindowsRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaidNodeClientTest {
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch silence = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;
  private RaidNodeClient client;
  private volatile int status = 200;
  private volatile String answer = "{}";
  private volatile boolean silent;

  /** Where this server sends everybody, as a daemon that stands by does. */
  private volatile Optional<URI> active = Optional.empty();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          if (silent) {
            awaitQuietly(silence);
          }
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          String token = exchange.getRequestHeaders().getFirst("Authorization");
          asked.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + (body.isEmpty() ? "" : " " + body)
                  + (token == null ? "" : " " + token));
          byte[] bytes = answer.getBytes(UTF_8);
          active.ifPresent(
              there ->
                  exchange
                      .getResponseHeaders()
                      .add("Location", there + exchange.getRequestURI().toString()));
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    client = RaidNodeClient.at(address());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void stop() {
    silence.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private RaidNodeException failure(int status, String answer) {
    this.status = status;
    this.answer = answer;
    return failure(client::status);
  }

  private static RaidNodeException failure(ThrowingCallable call) {
    return catchThrowableOfType(RaidNodeException.class, call);
  }

  @Test
  void aDaemonThatStandsBySendsToTheActiveOne(@TempDir Path folder) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "s3cret");
    List<String> moved = new CopyOnWriteArrayList<>();
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.createContext(
        "/",
        exchange -> {
          moved.add(
              "%s %s %s %s"
                  .formatted(
                      exchange.getRequestMethod(),
                      exchange.getRequestURI(),
                      new String(exchange.getRequestBody().readAllBytes(), UTF_8),
                      exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("{}".getBytes(UTF_8));
          exchange.close();
        });
    other.start();
    try {
      status = 307;
      active = Optional.of(URI.create("http://127.0.0.1:" + other.getAddress().getPort()));
      RaidNodeClient known = client.withTokenFile(token);
      known.files("/a b", Optional.empty(), Paging.FIRST);
      known.fsck(new FsckRequest("/f", 9, Optional.empty()));
      assertThat(moved)
          .satisfiesExactly(
              get ->
                  assertThat(get)
                      .startsWith("GET /api/v1/files?limit=100&path=%2Fa+b ")
                      .endsWith(" s3cret"),
              post ->
                  assertThat(post)
                      .startsWith("POST /api/v1/fsck {")
                      .contains("\"/f\"")
                      .endsWith("Bearer s3cret"));

      active = Optional.of(URI.create("http://raid2.example:8090"));
      assertThat(failure(known::status)).hasMessageContaining("would travel unencrypted to raid2");
      active = Optional.of(address());
      assertThat(failure(client::status).code())
          .as("no end of being sent on")
          .isEqualTo(ErrorCode.NOT_A_RAIDNODE);
    } finally {
      other.stop(0);
    }
  }

  @Test
  void whoAsksAboutADaemonIsNotSentToTheActiveOne() throws IOException {
    answer =
        """
        {"role": "STANDBY", "process": "process 7 on raid2", "since": "2030-06-01T12:00:00.000Z",
         "standby": {"reason": "because", "takeOverAfterSeconds": 20,
                     "index": {"transaction": 4711, "behindSeconds": 3}}}
        """;

    DaemonReport daemon = client.daemon();

    assertThat(daemon.role()).isEqualTo(DaemonReport.Role.STANDBY);
    assertThat(daemon.standby().orElseThrow().takeOverAfter()).hasSeconds(20);
    assertThat(daemon.standby().orElseThrow().index().orElseThrow().behind())
        .contains(Duration.ofSeconds(3));

    status = 307; // a version that sends everybody on
    active = Optional.of(address());
    RaidNodeException failure = failure(client::daemon);

    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(failure)
        .hasMessageContaining(address() + " stands by, and its version does not know");
    assertThat(asked).containsExactly("GET /api/v1/daemon", "GET /api/v1/daemon");
  }

  @Test
  void everyCallGoesToItsPathWithItsQuery() throws IOException {
    answer = "{\"items\": []}";
    Paging paging = Paging.first(7).after("a b&c");

    client.openApi();
    client.version();
    client.me();
    client.codecs();
    client.nodes();
    client.status();
    client.policies();
    client.files("/ä +&?", Optional.of(FileState.RAIDED), paging);
    client.files("/", Optional.empty(), Paging.FIRST);
    client.file(16386);
    client.explain("/f");
    client.fsck("/f", Paging.FIRST);
    client.fsck(new FsckRequest("/f", 9, Optional.empty()));
    client.tasks(Optional.of(TaskState.FAILED), Paging.first(5).after("17"));
    client.task("17");
    client.cancelTask("17", new CancelTaskRequest(null));
    client.placement("/f", Paging.FIRST);
    client.skew();
    client.repairs(Paging.FIRST);
    client.storm();
    client.daemon();
    client.failover(new FailoverRequest(Optional.of("raid2"), false));
    client.history("/f", Paging.FIRST);
    client.raid(new RaidRequest("/f", false, Optional.of("rs-6-3"), Optional.empty()));
    client.unraid(new UnraidRequest("/f", true));
    client.repair(RepairRequest.below("/f", true));
    client.cancel(new CancelRepairRequest("/f", null, null, null, false));
    client.scrub(new ScrubRequest("/f", true, null));
    client.quarantine("/f", Paging.FIRST);
    client.restore(new QuarantineRequest("/f", true));
    client.purge(new QuarantineRequest("/f", false));
    client.withdraw(new WithdrawRequest(false, true, false));
    client.pause(new PauseRequest(false, false));
    client.footprint();
    client.validate(new ValidatePoliciesRequest("policies: []"));
    client.plan(Optional.of("cold"));
    client.histogram("/f");
    client.windows();
    client.windows(new WindowsRequest(WindowsRequest.Mode.OPEN, Duration.ofHours(4), null));
    client.savings("/f", 2, true);
    client.savingsDays();
    client.settings();
    client.change(new SettingsRequest(Map.of("raiding.workers", "3"), null));

    assertThat(asked)
        .containsExactly(
            "GET /api/v1/openapi.json",
            "GET /api/v1/version",
            "GET /api/v1/me",
            "GET /api/v1/codecs",
            "GET /api/v1/nodes",
            "GET /api/v1/status",
            "GET /api/v1/policies",
            "GET /api/v1/files?limit=7&cursor=a+b%26c&path=%2F%C3%A4+%2B%26%3F&state=RAIDED",
            "GET /api/v1/files?limit=100&path=%2F",
            "GET /api/v1/files/16386",
            "GET /api/v1/explain?path=%2Ff",
            "GET /api/v1/fsck?limit=100&path=%2Ff",
            "POST /api/v1/fsck {\"path\":\"/f\",\"limit\":9,\"cursor\":null}",
            "GET /api/v1/tasks?limit=5&cursor=17&state=FAILED",
            "GET /api/v1/tasks/17",
            "POST /api/v1/tasks/17/cancel {\"dryRun\":true}",
            "GET /api/v1/placement?limit=100&path=%2Ff",
            "GET /api/v1/placement/skew",
            "GET /api/v1/repairs?limit=100",
            "GET /api/v1/storm",
            "GET /api/v1/daemon",
            "POST /api/v1/failover {\"to\":\"raid2\",\"dryRun\":false}",
            "GET /api/v1/history?limit=100&path=%2Ff",
            "POST /api/v1/raid {\"path\":\"/f\",\"dryRun\":false,\"codec\":\"rs-6-3\","
                + "\"targetReplication\":null}",
            "POST /api/v1/unraid {\"path\":\"/f\",\"dryRun\":true}",
            "POST /api/v1/repair {\"path\":\"/f\",\"stripes\":[],\"all\":false,\"dryRun\":true}",
            "POST /api/v1/repairs/cancel {\"path\":\"/f\",\"stripes\":[],\"all\":false,"
                + "\"pauseSeconds\":3600,\"dryRun\":false}",
            "POST /api/v1/scrub {\"path\":\"/f\",\"deep\":true,\"dryRun\":true}",
            "GET /api/v1/quarantine?limit=100&path=%2Ff",
            "POST /api/v1/quarantine/restore {\"path\":\"/f\",\"dryRun\":true}",
            "POST /api/v1/quarantine/purge {\"path\":\"/f\",\"dryRun\":false}",
            "POST /api/v1/withdraw {\"purge\":true,\"removeRoot\":true,\"abandon\":[],\"dryRun\":false}",
            "POST /api/v1/pause {\"paused\":false,\"dryRun\":false}",
            "GET /api/v1/footprint",
            "POST /api/v1/policies/validate {\"yaml\":\"policies: []\"}",
            "GET /api/v1/plan?policy=cold",
            "GET /api/v1/histogram?path=%2Ff",
            "GET /api/v1/windows",
            "POST /api/v1/windows {\"mode\":\"OPEN\",\"durationSeconds\":14400,\"dryRun\":true}",
            "GET /api/v1/savings?path=%2Ff&depth=2&complete=true",
            "GET /api/v1/savings/days",
            "GET /api/v1/settings",
            "PUT /api/v1/settings {\"values\":{\"raiding.workers\":\"3\"},\"dryRun\":true}");
  }

  @Test
  void aChangeThatIsRefusedAsAWholeIsAnAnswer() throws IOException {
    status = 409;
    answer =
        "{\"code\":\"REFUSED\",\"detail\":\"no\",\"hint\":\"\",\"change\":"
            + "{\"action\":\"RAID\",\"path\":\"/f\",\"outcome\":\"REFUSED\",\"refused\":2}}";

    ChangePreview refused = client.unraid(new UnraidRequest("/f", false));

    assertThat(refused.outcome()).isEqualTo(ChangePreview.Outcome.REFUSED);
    assertThat(refused.refused()).isEqualTo(2);
    answer = "{\"code\":\"REFUSED\",\"detail\":\"no\",\"hint\":\"\"}";
    assertThat(failure(() -> client.unraid(new UnraidRequest("/f", false)))).hasMessage("no");
    answer = "Conflict";
    assertThat(failure(() -> client.unraid(new UnraidRequest("/f", false))).code())
        .isEqualTo(ErrorCode.NOT_A_RAIDNODE);
  }

  @Test
  void aBaseAddressMayEndWithASlashAndHaveAPath() throws IOException {
    RaidNodeClient.at(URI.create(address() + "/gateway/")).status();

    assertThat(asked).containsExactly("GET /gateway/api/v1/status");
  }

  @Test
  void theTokenIsSentWithEveryCall(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "s3cret\n");

    client.withTokenFile(file).status();

    assertThat(asked).containsExactly("GET /api/v1/status Bearer s3cret");
  }

  @Test
  void aTokenIsNotSentUnencryptedToAnotherMachine(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "s3cret\n");
    RaidNodeClient other = RaidNodeClient.at(URI.create("http://192.0.2.1:8090"));
    RaidNodeException failure = failure(() -> other.withTokenFile(file));
    assertThat(failure.code()).isEqualTo(ErrorCode.NO_TOKEN);
    assertThat(failure).hasMessage("The token would travel unencrypted to 192.0.2.1");
    assertThat(failure.hint()).contains("https://");
    RaidNodeClient.at(URI.create("https://192.0.2.1:8090")).withTokenFile(file);
  }

  /** What needs a KDC is in the journey with Kerberos. No test has a ticket of its user. */
  @Test
  void withoutAKerberosTicketNothingIsSent() {
    RaidNodeException failure = failure(client::withKerberos);
    assertThat(failure.code()).isEqualTo(ErrorCode.NO_TOKEN);
    assertThat(failure).hasMessageStartingWith("There is no valid Kerberos ticket: ");
    assertThat(failure.hint()).contains("kinit");
    RaidNodeClient other = RaidNodeClient.at(URI.create("http://192.0.2.1:8090"));
    assertThat(failure(other::withKerberos))
        .hasMessage("The Kerberos ticket would travel unencrypted to 192.0.2.1");
    assertThat(asked).isEmpty();
  }

  @Test
  void aTokenFileWithoutATokenIsRefusedBeforeAnythingIsSent(@TempDir Path folder)
      throws IOException {
    Path missing = folder.resolve("missing");
    Path empty = Files.writeString(folder.resolve("empty"), " \n");
    Path twoLines = Files.writeString(folder.resolve("two"), "one\r\nX-Injected: two");

    for (Path file : List.of(missing, empty, twoLines)) {
      RaidNodeException failure = failure(() -> client.withTokenFile(file));
      assertThat(failure.code()).isEqualTo(ErrorCode.NO_TOKEN);
      assertThat(failure).hasMessageContaining(file.toString());
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void anErrorKeepsItsCodeMessageAndHint() {
    RaidNodeException failure =
        failure(409, "{\"code\":\"REFUSED\",\"detail\":\"no\",\"hint\":\"do that\"}");

    assertThat(failure.code()).isEqualTo(ErrorCode.REFUSED);
    assertThat(failure).hasMessage("no");
    assertThat(failure.hint()).isEqualTo("do that");
    assertThat(failure(500, "{\"code\":\"NEW\",\"detail\":\"x\"}").code())
        .isEqualTo(ErrorCode.UNKNOWN);
  }

  @Test
  void somebodyElseOnThatPortIsNotTakenForARaidNode() {
    for (String body : List.of("", "<html>", "[]", "null", "{\"other\": 1}")) {
      assertThat(failure(404, body).code()).as(body).isEqualTo(ErrorCode.NOT_A_RAIDNODE);
    }
    for (String body : List.of("", "<html>", "[]", "null")) {
      assertThat(failure(200, body).code()).as(body).isEqualTo(ErrorCode.NOT_A_RAIDNODE);
    }
    assertThat(failure(302, "").code()).isEqualTo(ErrorCode.NOT_A_RAIDNODE);
  }

  @Test
  void theAdminPortIsSaidToBeIt() {
    server.createContext(
        "/ping",
        exchange -> {
          byte[] pong = "pong\n".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, pong.length);
          try (exchange) {
            exchange.getResponseBody().write(pong);
          }
        });
    for (String body :
        List.of("<html>Not found", "{\"message\":\"Not Found\",\"status\":\"404\"}")) {
      RaidNodeException failure = failure(404, body);
      assertThat(failure.code()).isEqualTo(ErrorCode.NOT_A_RAIDNODE);
      assertThat(failure)
          .hasMessageContaining("127.0.0.1:" + server.getAddress().getPort())
          .hasMessageContaining("admin port");
    }
  }

  @Test
  void aServerThatDoesNotSpeakHttpIsNotTakenForARaidNode() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> greeting =
          CompletableFuture.runAsync(
              () -> {
                try (Socket socket = other.accept()) {
                  socket.getInputStream().read(new byte[4096]);
                  socket.getOutputStream().write("220 mail.example.com ESMTP\r\n".getBytes(UTF_8));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      RaidNodeClient misled =
          RaidNodeClient.at(URI.create("http://127.0.0.1:" + other.getLocalPort()));
      other.setSoTimeout(10_000);

      RaidNodeException failure = failure(misled.withTimeout(Duration.ofSeconds(1))::status);

      greeting.get(10, TimeUnit.SECONDS);
      assertThat(failure.code()).isEqualTo(ErrorCode.NOT_A_RAIDNODE);
      assertThat(failure).hasMessageContaining("not in HTTP: it is no RaidNode");
    }
  }

  @Test
  void aServerThatHangsUpMayServeHttps() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      other.setSoTimeout(10_000);
      CompletableFuture<Void> hangingUp =
          CompletableFuture.runAsync(
              () -> {
                for (int tries = 0; tries < 2; tries++) { // Java asks a second time
                  try (Socket socket = other.accept()) {
                    socket.getInputStream().read(new byte[4096]);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              });
      URI plain = URI.create("http://127.0.0.1:" + other.getLocalPort());

      RaidNodeException failure = failure(RaidNodeClient.at(plain)::status);

      hangingUp.get(10, TimeUnit.SECONDS);
      assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
      assertThat(failure).hasMessageContaining("broke");
      assertThat(failure.hint()).startsWith("If it serves https, give --url with https. ");
    }
  }

  @Test
  void aDaemonThatDoesNotRunIsSaidSo() throws IOException {
    int freePort;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      freePort = socket.getLocalPort();
    }
    URI nobody = URI.create("http://127.0.0.1:" + freePort);

    RaidNodeException failure = failure(RaidNodeClient.at(nobody)::status);

    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure).hasMessage("No RaidNode answers at " + nobody);
    assertThat(failure.hint()).contains("bin/raidnode start");
  }

  @Test
  void aDaemonThatDoesNotAnswerInTimeMayStillDoTheWork() throws IOException {
    // With the connection open, the time goes by waiting for the answer and not for the connection.
    client.status();
    silent = true;

    RaidNodeException failure = failure(client.withTimeout(Duration.ofMillis(200))::status);

    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure.hint()).contains("may still be carried out");
  }

  @Test
  void anInterruptIsPassedOn() {
    silent = true;
    Thread.currentThread().interrupt();

    assertThatThrownBy(client::status).isInstanceOf(java.io.InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void anAddressThatIsNoneIsRefused() {
    for (String address : List.of("host:8090", "ftp://host", "nonsense", "http:///x")) {
      assertThatThrownBy(() -> RaidNodeClient.at(URI.create(address)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + address + "'");
    }
  }

  @Test
  void everyPathOfTheApiIsCalledByTheClient() throws Exception {
    everyCallGoesToItsPathWithItsQuery();

    for (var constant : ApiPaths.class.getFields()) {
      String path = (String) constant.get(null);
      if (path.startsWith(ApiPaths.ROOT + "/")) {
        String called = path.replace("{inode}", "16386").replace("{id}", "17");
        assertThat(asked).as(constant.getName()).anyMatch(call -> call.contains(" " + called));
      }
    }
  }
}
