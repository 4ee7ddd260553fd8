// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidnode.access.GrantedRoles;
import io.hdfsraid.raidnode.access.KerberosCallers;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TicketException;
import io.hdfsraid.raidnode.access.TicketReader;
import io.hdfsraid.raidnode.access.TokensFile;
import io.hdfsraid.raidnode.access.Users;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsFiles;
import jakarta.ws.rs.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Who may call which endpoint, and under which name the history lists it. */
class AccessTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String HISTORY_OF_SEVEN = "7";

  /** The lowest role of each endpoint. Who adds one decides here, too. */
  static final Map<String, Role> ENDPOINTS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("GET /api/v1/openapi.json", Role.VIEWER),
              Map.entry("GET /api/v1/me", Role.VIEWER),
              Map.entry("GET /api/v1/version", Role.VIEWER),
              Map.entry("GET /api/v1/codecs", Role.VIEWER),
              Map.entry("GET /api/v1/nodes", Role.VIEWER),
              Map.entry("GET /api/v1/status", Role.VIEWER),
              Map.entry("GET /api/v1/tasks", Role.VIEWER),
              Map.entry("GET /api/v1/tasks/{id}", Role.VIEWER),
              Map.entry("POST /api/v1/tasks/{id}/cancel", Role.OPERATOR),
              Map.entry("GET /api/v1/files", Role.VIEWER),
              Map.entry("GET /api/v1/files/{inode}", Role.VIEWER),
              Map.entry("GET /api/v1/histogram", Role.VIEWER),
              Map.entry("GET /api/v1/history", Role.VIEWER),
              Map.entry("GET /api/v1/fsck", Role.VIEWER),
              Map.entry("POST /api/v1/fsck", Role.VIEWER),
              Map.entry("GET /api/v1/placement", Role.VIEWER),
              Map.entry("GET /api/v1/placement/skew", Role.VIEWER),
              Map.entry("GET /api/v1/policies", Role.VIEWER),
              Map.entry("GET /api/v1/explain", Role.VIEWER),
              Map.entry("POST /api/v1/policies/validate", Role.VIEWER),
              Map.entry("GET /api/v1/plan", Role.VIEWER),
              Map.entry("GET /api/v1/windows", Role.VIEWER),
              Map.entry("POST /api/v1/windows", Role.OPERATOR),
              Map.entry("POST /api/v1/raid", Role.OPERATOR),
              Map.entry("POST /api/v1/unraid", Role.OPERATOR),
              Map.entry("POST /api/v1/scrub", Role.OPERATOR),
              Map.entry("GET /api/v1/repairs", Role.VIEWER),
              Map.entry("POST /api/v1/repair", Role.OPERATOR),
              Map.entry("POST /api/v1/repairs/cancel", Role.OPERATOR),
              Map.entry("GET /api/v1/storm", Role.VIEWER),
              Map.entry("POST /api/v1/storm", Role.OPERATOR),
              Map.entry("GET /api/v1/daemon", Role.VIEWER),
              Map.entry("POST /api/v1/failover", Role.ADMIN),
              Map.entry("GET /api/v1/quarantine", Role.VIEWER),
              Map.entry("POST /api/v1/quarantine/restore", Role.OPERATOR),
              Map.entry("POST /api/v1/quarantine/purge", Role.ADMIN),
              Map.entry("POST /api/v1/withdraw", Role.ADMIN),
              Map.entry("POST /api/v1/pause", Role.OPERATOR),
              Map.entry("GET /api/v1/footprint", Role.VIEWER),
              Map.entry("GET /api/v1/savings", Role.VIEWER),
              Map.entry("GET /api/v1/savings/days", Role.VIEWER),
              Map.entry("GET /api/v1/settings", Role.VIEWER),
              Map.entry("PUT /api/v1/settings", Role.ADMIN)));

  @TempDir static Path folder;

  private static StubWiring wiring;
  private static RunningRaidNode node;
  private static TokensFile file;
  private static final Map<Role, String> SECRETS = new EnumMap<>(Role.class);

  @BeforeAll
  static void start() throws Exception {
    file = new TokensFile(folder.resolve("tokens.json"), Clock.systemUTC());
    for (Role role : Role.values()) {
      SECRETS.put(role, file.create("user-" + role, role, Optional.empty()).secret());
    }
    wiring = new StubWiring();
    node =
        RaidNode.start(StubWiring.settings(folder, "none", "portable"), wiring, Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpResponse<String> send(String endpoint, Optional<String> secret)
      throws Exception {
    return send(node.address(), endpoint, secret);
  }

  private static HttpResponse<String> send(URI base, String endpoint, Optional<String> secret)
      throws Exception {
    String[] parts = endpoint.split(" ", -1);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(parts[1].replaceFirst("\\{[a-z]+}", HISTORY_OF_SEVEN)))
            .method(
                parts[0],
                parts[0].equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}"));
    if (!parts[0].equals("GET")) {
      request.header("Content-Type", "application/json");
    }
    secret.ifPresent(value -> request.header("Authorization", "Bearer " + value));
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  static Stream<String> endpoints() {
    return ENDPOINTS.keySet().stream();
  }

  @Test
  void everyEndpointOfTheDaemonIsInTheTable() {
    assertThat(wiring.services.resources().stream().flatMap(AccessTest::endpoints))
        .containsExactlyInAnyOrderElementsOf(ENDPOINTS.keySet());
  }

  private static Stream<String> endpoints(Object resource) {
    jakarta.ws.rs.Path top = resource.getClass().getAnnotation(jakarta.ws.rs.Path.class);
    return top == null
        ? Stream.empty()
        : Arrays.stream(resource.getClass().getMethods())
            .flatMap(
                method ->
                    Arrays.stream(method.getAnnotations())
                        .map(Annotation::annotationType)
                        .filter(type -> type.isAnnotationPresent(HttpMethod.class))
                        .map(type -> type.getAnnotation(HttpMethod.class).value())
                        .map(verb -> verb + " " + path(top, method)));
  }

  private static String path(jakarta.ws.rs.Path top, Method method) {
    jakarta.ws.rs.Path own = method.getAnnotation(jakarta.ws.rs.Path.class);
    return own == null ? top.value() : own.value();
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void eachEndpointIsOpenFromItsRoleUpwards(String endpoint) throws Exception {
    assertThat(send(endpoint, Optional.empty()).statusCode()).as("nobody").isEqualTo(401);
    for (Role role : Role.values()) {
      HttpResponse<String> response = send(endpoint, Optional.of(SECRETS.get(role)));
      if (role.includes(ENDPOINTS.get(endpoint))) {
        assertThat(response.statusCode()).as("%s: %s", role, response.body()).isNotIn(401, 403);
      } else {
        assertThat(response.statusCode()).as("%s: %s", role, response.body()).isEqualTo(403);
        assertThat(response.body())
            .contains("\"FORBIDDEN\"", "user-" + role + " has the role " + role);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/metrics, METRICS",
    "/healthcheck, METRICS",
    "/ping, METRICS",
    "/threads, ADMIN",
    "/, ADMIN"
  })
  void whatMonitoringReadsNeedsTheLeastRole(String path, Role needed) throws Exception {
    String endpoint = "GET " + path;
    assertThat(send(node.adminAddress(), endpoint, Optional.empty()).statusCode()).isEqualTo(401);
    for (Role role : Role.values()) {
      HttpResponse<String> response =
          send(node.adminAddress(), endpoint, Optional.of(SECRETS.get(role)));
      assertThat(response.statusCode())
          .as("%s: %s", role, response.body())
          .isEqualTo(role.includes(needed) ? 200 : 403);
    }
  }

  @Test
  void supervisorsNeedNoToken() throws Exception {
    assertThat(send(node.adminAddress(), "GET /live", Optional.empty()).statusCode())
        .isEqualTo(200);
    assertThat(send(node.adminAddress(), "GET /ready", Optional.empty()).statusCode())
        .isEqualTo(200);
    wiring.ready.set(false);
    try {
      assertThat(send(node.adminAddress(), "GET /ready", Optional.empty()).statusCode())
          .isEqualTo(503);
      assertThat(send(node.adminAddress(), "GET /live", Optional.empty()).statusCode())
          .isEqualTo(200);
    } finally {
      wiring.ready.set(true);
    }
    for (String more : new String[] {"GET /live/threads", "GET /live/", "GET /readyx"}) {
      assertThat(send(node.adminAddress(), more, Optional.empty()).statusCode())
          .as(more)
          .isEqualTo(401);
    }
  }

  @Test
  void aWrongTokenIsNobodys() throws Exception {
    String right = SECRETS.get(Role.ADMIN);
    for (String wrong : new String[] {right.substring(1), right + "x", ""}) {
      HttpResponse<String> response = send("GET /api/v1/status", Optional.of(wrong));
      assertThat(response.statusCode()).as(wrong).isEqualTo(401);
      assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
      assertThat(response.body()).contains("\"UNAUTHORIZED\"", "raidnode token create");
    }
    HttpRequest basic =
        HttpRequest.newBuilder(node.address().resolve(ApiPaths.STATUS))
            .header("Authorization", "Basic " + right)
            .build();
    assertThat(HTTP.send(basic, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
  }

  @Test
  void theCaseOfAnEarlierTokenOfAConnectionDoesNotMatter() throws Exception {
    String secret = SECRETS.get(Role.ADMIN);
    for (String same : new String[] {secret.toUpperCase(Locale.ROOT), secret}) {
      assertThat(send("GET /api/v1/status", Optional.of(same)).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void whatIsNotThereIsToldToThoseWithATokenOnly() throws Exception {
    assertThat(send("GET /nothing", Optional.empty()).statusCode()).isEqualTo(401);
    assertThat(send("GET /nothing", Optional.of(SECRETS.get(Role.VIEWER))).statusCode())
        .isEqualTo(404);
  }

  @Test
  void aRunningDaemonNoticesNewRevokedAndExpiredTokens() throws Exception {
    TokensFile.NewToken added = file.create("late", Role.VIEWER, Optional.empty());
    older();
    Optional<String> secret = Optional.of(added.secret());
    assertThat(send("GET /api/v1/status", secret).statusCode()).isEqualTo(200);
    assertThat(file.revoke(added.token().id())).contains(added.token());
    assertThat(send("GET /api/v1/status", secret).statusCode()).isEqualTo(401);

    TokensFile past =
        new TokensFile(
            folder.resolve("tokens.json"), Clock.offset(Clock.systemUTC(), Duration.ofHours(-2)));
    secret = Optional.of(past.create("old", Role.ADMIN, Optional.of(Duration.ofHours(1))).secret());
    assertThat(send("GET /api/v1/status", secret))
        .satisfies(response -> assertThat(response.statusCode()).isEqualTo(401))
        .satisfies(
            response -> assertThat(response.body()).contains("The token of old expired at "));
  }

  /** Or two changes within the resolution of the clock of files could look like one. */
  private static void older() throws IOException {
    Files.setLastModifiedTime(
        folder.resolve("tokens.json"), FileTime.from(Instant.now().minusSeconds(60)));
  }

  @Test
  void eachChangeAndEachRefusalIsALineOfTheAuditLog() throws Exception {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger audit = (Logger) LoggerFactory.getLogger("audit");
    Level before = audit.getLevel();
    audit.setLevel(Level.INFO);
    audit.addAppender(lines);
    try {
      Path own = Files.writeString(folder.resolve("ours"), SECRETS.get(Role.OPERATOR));
      RaidNodeClient client = RaidNodeClient.at(node.address()).withTokenFile(own);
      client.status();
      client
          .withReason("cold \n since spring")
          .raid(new RaidRequest("/a/b", false, Optional.of("rs-6-3"), Optional.empty()));
      send("PUT /api/v1/settings", Optional.of(SECRETS.get(Role.OPERATOR)));
      send("GET /api/v1/status", Optional.empty());
      send(node.adminAddress(), "GET /threads", Optional.of(SECRETS.get(Role.VIEWER)));
      raw(node.address().getPort(), "GET /x HTTP/1.1\r\nHost: attacker.example\r\n");
    } finally {
      audit.detachAppender(lines);
      audit.setLevel(before);
    }
    assertThat(lines.list)
        .allSatisfy(line -> assertThat(line.getMDCPropertyMap().get("request")).hasSize(16));
    assertThat(lines.list)
        .extracting(AccessTest::text)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("POST /api/v1/raid ")
                    .contains("user=user-operator", "known=token", "from=127.0.0.1", "status=202")
                    .contains(
                        "body={\\\"path\\\":\\\"/a/b\\\",\\\"dryRun\\\":false,\\\"codec\\\":\\\"rs-6-3\\\"}")
                    .contains("files=1", "outcome=ACCEPTED", "task=", "dryRun=false", "path=/a/b")
                    .contains("reason=cold \\u000a since spring"),
            line ->
                assertThat(line)
                    .startsWith("PUT /api/v1/settings ")
                    .contains("user=user-operator", "status=403", "this needs the role admin"),
            line ->
                assertThat(line)
                    .startsWith("GET /api/v1/status ")
                    .contains("user=nobody", "known=no", "status=401", "requires a token"),
            line ->
                assertThat(line).startsWith("GET /threads ").contains("user-viewer", "status=403"),
            line -> assertThat(line).startsWith("GET /x ").contains("status=403", "another host"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', '[0-9a-f]{16}'",
    "my-id_1.2, my-id_1\\.2",
    "a b, '[0-9a-f]{16}'",
    "<x>, '[0-9a-f]{16}'",
    "-x, '[0-9a-f]{16}'"
  })
  void theAnswerNamesTheRequest(String given, String expected) throws Exception {
    for (URI address : List.of(node.address(), node.adminAddress())) {
      HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve("/nothing"));
      if (!given.isEmpty()) {
        request.header(ApiPaths.REQUEST_ID_HEADER, given);
      }
      assertThat(
              HTTP.send(request.build(), BodyHandlers.ofString())
                  .headers()
                  .firstValue(ApiPaths.REQUEST_ID_HEADER))
          .hasValueSatisfying(id -> assertThat(id).matches(expected));
    }
  }

  @ParameterizedTest
  @CsvSource({"'%', 400", "%zz, 400", "caf%C3%A9+1, 200", "LONG, 400", "'', 200"})
  void onlyAReasonThatCanBeReadIsTaken(String reason, int status) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.address().resolve(ApiPaths.STATUS))
            .header("Authorization", "Bearer " + SECRETS.get(Role.VIEWER));
    request.header(ApiPaths.REASON_HEADER, reason.equals("LONG") ? "x".repeat(501) : reason);
    assertThat(HTTP.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(status);
  }

  @Test
  void aChangeNeedsAReasonIfTheSettingsSaySo() throws Exception {
    StubWiring other = new StubWiring();
    Path own = Files.createTempDirectory(folder, "own");
    try (RunningRaidNode open =
        RaidNode.start(StubWiring.requiringReasons(own), other, Clock.systemUTC())) {
      RaidNodeClient client = RaidNodeClient.at(open.address());
      PauseRequest pause = new PauseRequest(true, false);
      assertThatThrownBy(() -> client.pause(pause))
          .isInstanceOf(RaidNodeException.class)
          .hasMessageContaining("requires a reason");
      assertThat(other.services.askers).isEmpty();
      client.pause(new PauseRequest(true, true));
      client.withReason("maintenance").pause(pause);
      assertThat(other.services.askers).hasSize(2);
    }
  }

  private static String text(ILoggingEvent event) {
    return event.getFormattedMessage()
        + event.getKeyValuePairs().stream()
            .map(pair -> " %s=%s".formatted(pair.key, pair.value))
            .collect(Collectors.joining());
  }

  @Test
  void thePersonOfTheTokenIsNamed() throws Exception {
    Path own = Files.writeString(folder.resolve("mine"), SECRETS.get(Role.OPERATOR) + "\n");
    wiring.services.askers.clear();

    RaidNodeClient.at(node.address()).withTokenFile(own).pause(new PauseRequest(true, false));

    assertThat(wiring.services.askers).containsExactly("user-operator");
  }

  @ParameterizedTest
  @EnumSource(value = Role.class, names = "METRICS", mode = EnumSource.Mode.EXCLUDE)
  void withoutATokenThisMachineHasTheRoleOfTheSettings(Role role) throws Exception {
    StubWiring other = new StubWiring();
    Path own = Files.createTempDirectory(folder, "own");
    try (RunningRaidNode open =
        RaidNode.start(
            StubWiring.settings(own, role.toString(), "portable"), other, Clock.systemUTC())) {
      RaidNodeClient client = RaidNodeClient.at(open.address());
      assertThat(client.status().version()).isEqualTo("0.1.0");
      if (role == Role.VIEWER) {
        assertThatThrownBy(() -> client.pause(new PauseRequest(true, false)))
            .isInstanceOf(RaidNodeException.class)
            .hasMessageContaining("has the role viewer, and this needs the role operator");
        return;
      }
      client.pause(new PauseRequest(true, false));
      assertThat(other.services.askers)
          .containsExactly(System.getProperty("user.name") + " (unproven)");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Forwarded", "Via", "X-Forwarded-For", "X-Real-IP", "Origin", "Sec-Fetch-Site"})
  void whatAProxyOrAPageOnThisMachineSendsNeedsAToken(String header) throws Exception {
    Path own = Files.createTempDirectory(folder, "own");
    try (RunningRaidNode open =
        RaidNode.start(StubWiring.settings(own), new StubWiring(), Clock.systemUTC())) {
      HttpRequest forwarded =
          HttpRequest.newBuilder(open.address().resolve(ApiPaths.STATUS))
              .header(header, "127.0.0.1")
              .build();
      HttpResponse<String> response = HTTP.send(forwarded, BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(401);
      assertThat(response.body()).contains("requires a token from ");
    }
  }

  /** No page can write Sec-Fetch-Site, and only the daemon serves pages at its address. */
  @Test
  void theOwnPageIsAUserOfThisMachine() throws Exception {
    Path own = Files.createTempDirectory(folder, "own");
    try (RunningRaidNode open =
        RaidNode.start(StubWiring.settings(own), new StubWiring(), Clock.systemUTC())) {
      URI me = open.address().resolve(ApiPaths.ME);
      HttpRequest.Builder page = HttpRequest.newBuilder(me).header("Sec-Fetch-Site", "same-origin");
      HttpResponse<String> answer = HTTP.send(page.build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("\"user\":\"somebody (unproven)\"", "\"role\":\"admin\"");
      page.header("Origin", open.address().toString().replaceFirst("/$", ""));
      assertThat(HTTP.send(page.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      page.setHeader("Origin", "http://evil.example");
      assertThat(HTTP.send(page.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void thePageNeedsNoTokenAndNothingElseGoesWithoutOne() throws Exception {
    for (String file : new String[] {"/", "/page/app.js", "/page/lib/lit-html.js"}) {
      HttpResponse<String> page = send("GET " + file, Optional.empty());
      assertThat(page.statusCode()).as(file).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Security-Policy"))
          .hasValueSatisfying(
              policy ->
                  assertThat(policy)
                      .startsWith("default-src 'none'; script-src 'self';")
                      .doesNotContain("unsafe"));
    }
    assertThat(send("GET /page/nothing.js", Optional.empty()).statusCode()).isEqualTo(404);
    assertThat(send("GET /page/index.html", Optional.empty()).statusCode()).isEqualTo(404);
    for (String other :
        new String[] {"/api/v1/status", "/page/../api/v1/status", "/page/%2e%2e/api/v1/status"}) {
      assertThat(send("GET " + other, Optional.empty()).statusCode())
          .as(other)
          .isIn(400, 401)
          .isNotEqualTo(200);
    }
  }

  @Test
  void aNameThatIsNoneIsNotBelieved() throws Exception {
    StubWiring other = new StubWiring();
    Path own = Files.createTempDirectory(folder, "own");
    try (RunningRaidNode open =
        RaidNode.start(StubWiring.settings(own), other, Clock.systemUTC())) {
      for (String name : new String[] {"a b", "<b>", "x".repeat(65), "-rf"}) {
        HttpRequest pause =
            HttpRequest.newBuilder(open.address().resolve(ApiPaths.PAUSE))
                .header("Content-Type", "application/json")
                .header(ApiPaths.USER_HEADER, name)
                .POST(BodyPublishers.ofString("{\"paused\": true}"))
                .build();
        assertThat(HTTP.send(pause, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      }
      assertThat(other.services.askers)
          .hasSize(4)
          .allSatisfy(name -> assertThat(name).isEqualTo("somebody (unproven)"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:1, true",
    "localhost, true",
    "LOCALHOST:8090, true",
    "[::1]:8090, true",
    "10.1.2.3, true",
    "raid.example:8090, true",
    "attacker.example, false",
    "127.0.0.1.attacker.example, false",
    "localhost.attacker.example:8090, false"
  })
  void aRequestForAnotherHostIsRejected(String host, boolean fine) throws Exception {
    for (URI address : new URI[] {node.address(), node.adminAddress()}) {
      String answer = raw(address.getPort(), "GET /metrics HTTP/1.1\r\nHost: " + host + "\r\n");
      assertThat(answer)
          .as(host)
          .startsWith(fine ? "HTTP/1.1 401" : "HTTP/1.1 403")
          .contains(fine ? "UNAUTHORIZED" : "api.hosts");
    }
  }

  /** A client that chooses the host itself. */
  private static String raw(int port, String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream()) {
      out.write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A stranger of these tests has the ticket of another realm, and a liar has none. */
  private static KerberosCallers kerberosCallers() {
    TicketReader tickets =
        token -> {
          String name = new String(token, StandardCharsets.UTF_8).strip();
          if (name.equals("liar")) {
            throw new TicketException("Clock skew too great", null);
          }
          return new TicketReader.Ticket(
              name + "@EXAMPLE.COM", Optional.of("proof".getBytes(StandardCharsets.UTF_8)));
        };
    Users users =
        new Users() {
          @Override
          public String user(String principal) throws IOException {
            String name = principal.substring(0, principal.indexOf('@'));
            if (name.equals("stranger")) {
              throw new IOException("No rules applied to " + principal);
            }
            return name;
          }

          @Override
          public Set<String> groups(String user) {
            return user.equals("alice") ? Set.of("staff", "users") : Set.of("users");
          }
        };
    Map<Role, GrantedRoles.Members> roles =
        Map.of(
            Role.VIEWER, new GrantedRoles.Members(Set.of(), Set.of("staff")),
            Role.ADMIN, new GrantedRoles.Members(Set.of("bob"), Set.of()));
    return new KerberosCallers(tickets, users, new GrantedRoles(roles));
  }

  private static HttpResponse<String> negotiate(URI address, String ticket, String... headers)
      throws Exception {
    boolean change = address.getPath().equals(ApiPaths.PAUSE);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header(
                "Authorization",
                "negotiate "
                    + Base64.getEncoder().encodeToString(ticket.getBytes(StandardCharsets.UTF_8)));
    if (change) {
      request
          .header("Content-Type", "application/json")
          .POST(BodyPublishers.ofString("{\"paused\": true}"));
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void aKerberosTicketNamesThePersonAndTheRole() throws Exception {
    StubWiring other = new StubWiring();
    other.kerberos = Optional.of(kerberosCallers());
    Path own = Files.createTempDirectory(folder, "own");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger audit = (Logger) LoggerFactory.getLogger("audit");
    Level before = audit.getLevel();
    audit.setLevel(Level.INFO);
    audit.addAppender(lines);
    try (RunningRaidNode open =
        RaidNode.start(StubWiring.settings(own, "none", "portable"), other, Clock.systemUTC())) {
      URI status = open.address().resolve(ApiPaths.STATUS);
      URI pause = open.address().resolve(ApiPaths.PAUSE);
      HttpResponse<String> nobody = send(open.address(), "GET /api/v1/status", Optional.empty());
      assertThat(nobody.statusCode()).isEqualTo(401);
      assertThat(nobody.headers().allValues("WWW-Authenticate"))
          .containsExactly("Bearer", "Negotiate");
      assertThat(nobody.body()).contains("requires a token or a Kerberos ticket", "kinit");

      HttpResponse<String> alice = negotiate(status, "alice");
      assertThat(alice.statusCode()).as(alice.body()).isEqualTo(200);
      assertThat(alice.headers().firstValue("WWW-Authenticate")).contains("Negotiate cHJvb2Y=");
      assertThat(negotiate(pause, "alice"))
          .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(403))
          .satisfies(
              answer ->
                  assertThat(answer.body()).contains("alice has the role viewer", "api.roles"));
      assertThat(negotiate(pause, "bob").statusCode()).isEqualTo(200);
      assertThat(other.services.askers).containsExactly("bob");
      assertThat(negotiate(status, "carol"))
          .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(403))
          .satisfies(answer -> assertThat(answer.body()).contains("carol has no role"));
      assertThat(negotiate(status, "stranger").statusCode()).isEqualTo(403);
      assertThat(negotiate(open.adminAddress().resolve("/threads"), "alice").statusCode())
          .isEqualTo(403);
      assertThat(negotiate(open.adminAddress().resolve("/threads"), "bob").statusCode())
          .isEqualTo(200);
    } finally {
      audit.detachAppender(lines);
      audit.setLevel(before);
    }
    assertThat(lines.list)
        .extracting(AccessTest::text)
        .anyMatch(line -> line.contains("user=alice known=kerberos") && line.contains("status=403"))
        .anyMatch(line -> line.contains("user=bob known=kerberos") && line.contains("status=200"))
        .anyMatch(line -> line.contains("user=carol known=kerberos"))
        .anyMatch(line -> line.contains("user=stranger@EXAMPLE.COM known=kerberos"));
  }

  @Test
  void aTicketThatIsNoneIsRejectedWithoutTheReason() throws Exception {
    StubWiring other = new StubWiring();
    other.kerberos = Optional.of(kerberosCallers());
    Path own = Files.createTempDirectory(folder, "own");
    try (RunningRaidNode open =
        RaidNode.start(StubWiring.settings(own), other, Clock.systemUTC())) {
      URI status = open.address().resolve(ApiPaths.STATUS);
      HttpResponse<String> liar = negotiate(status, "liar");
      assertThat(liar.statusCode()).isEqualTo(401);
      assertThat(liar.headers().allValues("WWW-Authenticate"))
          .containsExactly("Bearer", "Negotiate");
      assertThat(liar.body())
          .contains(
              "the log of the daemon says why, for request "
                  + liar.headers().firstValue(ApiPaths.REQUEST_ID_HEADER).orElseThrow())
          .doesNotContain("skew");
      for (String wrong : new String[] {"Negotiate %%%", "Negotiate", "Basic YWxpY2U="}) {
        HttpRequest request = HttpRequest.newBuilder(status).header("Authorization", wrong).build();
        assertThat(HTTP.send(request, BodyHandlers.ofString()).statusCode())
            .as(wrong)
            .isEqualTo(401);
      }
      assertThat(negotiate(status, "alice" + " ".repeat(40 << 10)).statusCode())
          .as("of a user with many groups")
          .isEqualTo(200);
      HttpResponse<String> tooLong = negotiate(status, "alice" + " ".repeat(49 << 10));
      assertThat(tooLong.statusCode()).isEqualTo(401);
      assertThat(tooLong.body()).contains("The Kerberos ticket is too long");
    }
    assertThat(negotiate(node.address().resolve(ApiPaths.STATUS), "alice"))
        .as("the settings do not say that tickets are accepted")
        .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(401))
        .satisfies(answer -> assertThat(answer.body()).contains("understands tokens only"));
  }

  /** A browser adds the ticket of its user to whatever a page makes it send. */
  @Test
  void aPageOfAnotherSiteCannotChangeAnythingWithATicket() throws Exception {
    StubWiring other = new StubWiring();
    other.kerberos = Optional.of(kerberosCallers());
    Path own = Files.createTempDirectory(folder, "own");
    try (RunningRaidNode open =
        RaidNode.start(StubWiring.settings(own), other, Clock.systemUTC())) {
      URI status = open.address().resolve(ApiPaths.STATUS);
      URI pause = open.address().resolve(ApiPaths.PAUSE);
      for (String[] evil :
          new String[][] {
            {"Origin", "http://evil.example"},
            {"Origin", "null"},
            {"Sec-Fetch-Site", "cross-site"},
            {"Sec-Fetch-Site", "same-site"}
          }) {
        assertThat(negotiate(pause, "bob", evil).statusCode())
            .as(String.join(": ", evil))
            .isEqualTo(401);
        assertThat(negotiate(status, "bob", evil).statusCode()).isEqualTo(200);
      }
      assertThat(other.services.askers).isEmpty();
      assertThat(
              negotiate(
                      pause,
                      "bob",
                      "Origin",
                      open.address().toString(),
                      "Sec-Fetch-Site",
                      "same-origin")
                  .statusCode())
          .isEqualTo(200);
    }
  }

  /** As docs/https.md says, with a certificate of its own. */
  @Test
  void tokensTravelEncrypted() throws Exception {
    Path own = Files.createTempDirectory(folder, "own");
    keytool(
        "-genkeypair -alias raidnode -keyalg EC -dname CN=localhost -ext san=dns:localhost"
            + " -storetype PKCS12 -storepass changeit -keystore "
            + own.resolve("raidnode.p12"));
    keytool(
        "-exportcert -rfc -alias raidnode -storepass changeit -keystore "
            + own.resolve("raidnode.p12")
            + " -file "
            + own.resolve("ca.pem"));
    Path yaml =
        Files.writeString(
            own.resolve("raidnode.yml"),
            """
            catalog: {directory: catalog}
            coding: {kernel: portable}
            api: {tokensFile: tokens.json}
            server:
              applicationConnectors:
                - type: https
                  port: 0
                  keyStorePath: %s
                  keyStorePassword: ${file:keystore.password}
                  supportedProtocols: [TLSv1.2, TLSv1.3]
              adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
            """
                .formatted(own.resolve("raidnode.p12")));
    Files.writeString(own.resolve("policies.yml"), "policies: []");
    Path password = Files.writeString(own.resolve("keystore.password"), "changeit\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("r--------"));
    Settings settings = SettingsFiles.read(yaml, Clock.systemUTC());
    SettingsFiles.fetchPasswords(yaml, settings);
    assertThat(SettingsFiles.warnings(yaml, settings, Clock.systemUTC()))
        .as("there is no token yet")
        .singleElement()
        .asString()
        .contains("nobody can use");
    Path secret =
        Files.writeString(
            own.resolve("mine"),
            new TokensFile(settings.tokensFile(), Clock.systemUTC())
                .create("alice", Role.VIEWER, Optional.empty())
                .secret());
    try (RunningRaidNode encrypted =
        RaidNode.start(settings, new StubWiring(), Clock.systemUTC())) {
      URI address = URI.create("https://localhost:" + encrypted.address().getPort());
      RaidNodeClient client = RaidNodeClient.at(address).withTokenFile(secret);
      assertThat(client.withCertificates(own.resolve("ca.pem")).status().version())
          .isEqualTo("0.1.0");
      assertThatThrownBy(client::status)
          .isInstanceOf(RaidNodeException.class)
          .hasMessageContaining("is not trusted")
          .extracting(refused -> ((RaidNodeException) refused).hint())
          .asString()
          .contains("--cacert");
      assertThatThrownBy(() -> client.withCertificates(secret))
          .isInstanceOf(RaidNodeException.class)
          .hasMessageContaining("The certificates in " + secret + " cannot be used");
    }
  }

  private static void keytool(String arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments.split(" ", -1)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
