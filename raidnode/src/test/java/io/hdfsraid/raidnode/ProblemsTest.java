// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TokensFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever goes wrong, and wherever: the answer is a problem of RFC 9457. */
class ProblemsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path folder;

  private static RunningRaidNode node;
  private static String viewer;
  private static String admin;

  @BeforeAll
  static void start() throws Exception {
    TokensFile file = new TokensFile(folder.resolve("tokens.json"), Clock.systemUTC());
    viewer = file.create("viewer", Role.VIEWER, Optional.empty()).secret();
    admin = file.create("admin", Role.ADMIN, Optional.empty()).secret();
    node =
        RaidNode.start(
            StubWiring.settings(folder, "none", "portable"), new StubWiring(), Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** Answers of HTTP as they are on the wire: clients mend what they send. */
  private record Answer(int status, String head, String body) {
    Optional<String> header(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ": ";
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()))
          .findFirst();
    }
  }

  /**
   * Sends a request, and looks whether the description of the API lists the status of its answer.
   */
  private static Answer send(String head, byte[]... body) throws Exception {
    Answer answer = sendUndescribed(head, body);
    String[] line = head.lines().findFirst().orElseThrow().split("[ ?]", -1);
    JsonNode operation =
        OpenApiTest.served()
            .path("paths")
            .path(line[1].replaceFirst("files/.*", "files/{inode}"))
            .path(line[0].toLowerCase(Locale.ROOT));
    assertThat(operation.isMissingNode() || operation.path("responses").has("" + answer.status()))
        .as("%s: %d", line[1], answer.status())
        .isTrue();
    return answer;
  }

  private static Answer sendUndescribed(String head, byte[]... body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.address().getPort());
        OutputStream out = socket.getOutputStream();
        InputStream in = socket.getInputStream()) {
      socket.setSoTimeout(60_000);
      try {
        out.write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        for (byte[] part : body) {
          out.write(part);
        }
      } catch (IOException e) {
        // The daemon has answered before it has read everything.
      }
      String answer = answer(in);
      int end = answer.indexOf("\r\n\r\n");
      assertThat(end).as(answer).isPositive();
      return new Answer(
          Integer.parseInt(answer.substring(9, 12)),
          answer.substring(0, end),
          answer.substring(end + 4));
    }
  }

  /** Reads until the daemon ends the connection, or resets it because it has not read all. */
  private static String answer(InputStream in) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      in.transferTo(bytes);
    } catch (IOException e) {
      assertThat(e).as(() -> "after " + bytes).hasMessageContaining("reset");
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String as(String secret) {
    return "Host: localhost\r\nConnection: close\r\nAuthorization: Bearer " + secret + "\r\n";
  }

  private static JsonNode problem(Answer answer, int status, String code) throws IOException {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).contains("application/problem+json");
    assertThat(answer.head()).doesNotContain("Jetty", "jetty");
    assertThat(answer.body())
        .doesNotContain("\tat ", "Exception", "java.", "hdfsraid.", "jetty", "Jetty", "jackson");
    String body = answer.body();
    JsonNode problem = JSON.readTree(body.substring(body.indexOf('{'), body.lastIndexOf('}') + 1));
    assertThat(problem.fieldNames())
        .toIterable()
        .containsExactly("type", "title", "status", "detail", "code", "hint");
    assertThat(problem.path("status").asInt()).isEqualTo(status);
    assertThat(problem.path("code").asText()).isEqualTo(code);
    assertThat(problem.path("detail").asText()).isNotEmpty();
    return problem;
  }

  @ParameterizedTest
  @CsvSource({
    "GET /nothing, 404, NOT_FOUND",
    "GET /api/v1/files/8, 404, NOT_FOUND",
    "GET /api/v1/files/a%2Fb, 400, BAD_REQUEST",
    "GET /api/v1/files/%00, 400, BAD_REQUEST",
    "GET /api/v1/files/%zz, 400, BAD_REQUEST",
    "GET /api/v1/files?path=%zz, 400, BAD_REQUEST",
    "GET /api/v1/files?limit=99999999999, 400, BAD_REQUEST",
    "GET /api/v1/files?p, 400, BAD_REQUEST",
    "GET /api/v1/a|b, 400, BAD_REQUEST",
    "GET /api/v1/status;x=/../y, 404, NOT_FOUND",
    "GET /../api, 400, BAD_REQUEST",
    "DELETE /api/v1/files, 405, BAD_REQUEST",
    "GET /api/v1/explain?path=/nn-down, 502, IO",
    "GET /api/v1/explain?path=/bug, 500, INTERNAL",
    "BREW /api/v1/status, 405, BAD_REQUEST"
  })
  void everyErrorIsAProblem(String request, int status, String code) throws Exception {
    problem(send(request + " HTTP/1.1\r\n" + as(viewer)), status, code);
  }

  @Test
  void aRequestOfNobodyIsAProblem() throws Exception {
    problem(
        send("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"),
        401,
        "UNAUTHORIZED");
  }

  @Test
  void aRequestThatIsNotAllowedIsAProblem() throws Exception {
    problem(send("PUT /api/v1/settings HTTP/1.1\r\n" + as(viewer)), 403, "FORBIDDEN");
    problem(
        send("GET / HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n"),
        403,
        "FORBIDDEN");
  }

  @Test
  void whatAPathAllowsIsNamed() throws Exception {
    Answer answer = send("GET /api/v1/raid HTTP/1.1\r\n" + as(viewer));
    problem(answer, 405, "BAD_REQUEST");
    assertThat(answer.header("Allow").orElse("").split(",", -1)).contains("POST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRACE", "PATCH", "BREW"})
  void aMethodThatNothingHasIsAProblemThatSaysWhichThereAre(String method) throws Exception {
    Answer answer = send(method + " /api/v1/status HTTP/1.1\r\n" + as(viewer));
    if (method.equals("TRACE") || method.equals("PATCH")) {
      assertThat(answer.header("Allow").orElse("")).doesNotContain("POST");
    }
    problem(answer, 405, "BAD_REQUEST");
    assertThat(answer.header("Allow").orElse("").split(",", -1)).contains("GET");
  }

  @Test
  void anAnswerThatIsNotAcceptedIsAProblem() throws Exception {
    JsonNode problem =
        problem(
            send("GET /api/v1/status HTTP/1.1\r\nAccept: text/html\r\n" + as(viewer)),
            406,
            "BAD_REQUEST");
    assertThat(problem.path("hint").asText()).contains("application/json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/*", "text/html", "application/json", "image/png", ""})
  void anAddressThatIsTooLongIsAProblem(String accept) throws Exception {
    String address = "/api/v1/files?path=/" + "x".repeat(300_000);
    problem(
        send("GET %s HTTP/1.1\r\nAccept: %s\r\n".formatted(address, accept) + as(viewer)),
        414,
        "BAD_REQUEST");
  }

  @Test
  void headersThatAreTooLongAreAProblem() throws Exception {
    problem(
        send("GET /api/v1/status HTTP/1.1\r\nX-Long: " + "x".repeat(300_000) + "\r\n" + as(viewer)),
        431,
        "BAD_REQUEST");
  }

  @Test
  void whatIsNotHttpIsAProblem() throws Exception {
    problem(send("GET /api/v1/status HTTP/1.1\r\nConnection: close\r\n"), 400, "BAD_REQUEST");
    problem(
        send("GET /api/v1/status HTTP/1.1\r\nHost: a:b:c\r\nConnection: close\r\n"),
        400,
        "BAD_REQUEST");
    problem(send("GET /api/v1/status HTTP/1.1\r\nno colon\r\n" + as(viewer)), 400, "BAD_REQUEST");
  }

  @Test
  void aBodyThatIsTooLargeIsAProblem() throws Exception {
    byte[] mebibyte = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
    byte[][] body = new byte[9][];
    byte[][] chunks = new byte[9][];
    for (int i = 0; i < body.length; i++) {
      body[i] = mebibyte;
      chunks[i] = ("100000\r\n" + " ".repeat(1 << 20) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
    String head = "POST /api/v1/raid HTTP/1.1\r\nContent-Type: application/json\r\n" + as(admin);
    problem(send(head + "Content-Length: " + (9 << 20) + "\r\n"), 413, "BAD_REQUEST");
    problem(send(head + "Transfer-Encoding: chunked\r\n", chunks), 413, "BAD_REQUEST");
  }

  /** A limit of what is sent says nothing of what it becomes. */
  @Test
  void aCompressedBodyIsAProblem() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("{\"path\": \"/a\"}".getBytes(StandardCharsets.US_ASCII));
    }
    problem(
        send(
            "POST /api/v1/raid HTTP/1.1\r\nContent-Type: application/json\r\n"
                + "Content-Encoding: gzip\r\nContent-Length: "
                + packed.size()
                + "\r\n"
                + as(admin),
            packed.toByteArray()),
        415,
        "BAD_REQUEST");
  }

  @Test
  void aBodyOfAnotherTypeIsAProblem() throws Exception {
    problem(
        send(
            "POST /api/v1/raid HTTP/1.1\r\nContent-Type: text/csv\r\nContent-Length: 1\r\n"
                + as(admin),
            new byte[] {'a'}),
        415,
        "BAD_REQUEST");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"path\": | The body is not JSON: see line 1, column 9",
        "not json | The body is not JSON: see line 1, column 1",
        "[] | The body must be an object",
        "{\"path\": [1]} | path must be a text",
        "{\"dryRun\": \"perhaps\"} | dryRun must be true or false",
        "{\"targetReplication\": {}} | targetReplication must be a number",
        "{\"path\": \"/a\", \"dryrun\": false} | There is no field dryrun here; the fields are ",
        "{} | path must be an absolute path, but is null"
      })
  void aBodyThatIsNotTheRequestIsAProblem(String body, String detail) throws Exception {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    JsonNode problem =
        problem(
            send(
                "POST /api/v1/raid HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: "
                    + bytes.length
                    + "\r\n"
                    + as(admin),
                bytes),
            400,
            "BAD_REQUEST");
    assertThat(problem.path("detail").asText()).startsWith(detail);
  }

  @ParameterizedTest
  @CsvSource({
    "GET /api/v1/status?verbose=true, verbose, Send none.",
    "GET /api/v1/files?limits=5, limits, 'The parameters are [cursor, limit, path, state].'",
    "GET /api/v1/savings?Depth=2, Depth, 'The parameters are [complete, depth, path].'",
    "GET /api/v1/files?limit=5&limit=6, limit, Send it once."
  })
  void anUnknownQueryParameterIsRefused(String request, String name, String hint) throws Exception {
    JsonNode problem = problem(send(request + " HTTP/1.1\r\n" + as(viewer)), 400, "BAD_REQUEST");
    assertThat(problem.path("detail").asText()).contains("query parameter " + name);
    assertThat(problem.path("hint").asText()).isEqualTo(hint);
  }

  @Test
  void whoMayNotCallAnEndpointIsNotToldItsParameters() throws Exception {
    problem(send("PUT /api/v1/settings?x=1 HTTP/1.1\r\n" + as(viewer)), 403, "FORBIDDEN");
  }
}
