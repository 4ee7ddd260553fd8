// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.policies.ValidatePoliciesRequest;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidapi.repairs.StormRequest;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest;
import io.hdfsraid.raidapi.windows.WindowsRequest.Mode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole frame over HTTP: what the client of raidapi gets, and what nobody should send. */
class RaidNodeTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path folder;

  private static StubWiring wiring;
  private static RunningRaidNode node;
  private static RaidNodeClient client;

  @BeforeAll
  static void start() throws StartException {
    wiring = new StubWiring();
    node = RaidNode.start(StubWiring.settings(folder), wiring, Clock.systemUTC());
    client = RaidNodeClient.at(node.address());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @BeforeEach
  void forget() {
    wiring.services.asked.clear();
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(node.address().resolve(path)));
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(node.address().resolve(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> put(String path, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(node.address().resolve(path))
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    // Not over a connection of another test: after some errors the server closes it, which a client
    // notices only when it sends the next request.
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private static JsonNode error(HttpResponse<String> response, int status) throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type").orElse(""))
        .isEqualTo("application/problem+json");
    assertThat(response.body())
        .doesNotContain("\tat ", "Exception", "java.", "hdfsraid.", "jackson", "Feature");
    JsonNode error = JSON.readTree(response.body());
    assertThat(error.fieldNames())
        .toIterable()
        .containsExactly("type", "title", "status", "detail", "code", "hint");
    assertThat(error.path("detail").asText()).isNotEmpty();
    assertThat(error.path("title").asText()).isNotEmpty();
    assertThat(error.path("type").asText()).startsWith("urn:hdfs-raid:problem:");
    assertThat(error.path("status").asInt()).isEqualTo(status);
    return error;
  }

  @Test
  void everyQuestionOfTheClientIsAnswered() throws IOException {
    assertThat(client.status().skipped()).containsEntry("TOO_SMALL", 2L);
    assertThat(client.status().owner().holder()).isEqualTo("me");
    assertThat(client.policies().policies().get(0).coldAfter()).hasDays(90);
    assertThat(client.file(7).file()).isEqualTo(StubServices.FILE);
    assertThat(client.files("/data", Optional.of(FileState.RAIDED), Paging.first(5).after("3")))
        .satisfies(page -> assertThat(page.items()).containsExactly(StubServices.FILE))
        .satisfies(page -> assertThat(page.next()).contains("7"));
    assertThat(client.explain("/data/é ü").sentence()).isEqualTo("It is raided.");
    assertThat(client.fsck("/data/", Paging.FIRST).path()).isEqualTo("/data");
    assertThat(client.placement("/", Paging.FIRST).summary().clean()).isTrue();
    assertThat(client.skew().data()).isEqualTo(1.5);
    assertThat(client.repairs(Paging.first(3)).items()).isEmpty();
    assertThat(client.history("/a", Paging.first(9).after("x")).items().get(0).inode())
        .contains(7L);
    assertThat(wiring.services.asked)
        .containsExactly(
            "files /data RAIDED " + Paging.first(5).after("3"),
            "explain /data/é ü",
            "fsck /data",
            "placement /",
            "skew",
            "repairs 3",
            "history /a x");
  }

  @Test
  void theLongestPathOfHdfsIsTaken() throws IOException {
    String path = "/" + "\u4e16".repeat(7_999);

    assertThat(client.explain(path).sentence()).isEqualTo("It is raided.");
    assertThat(client.placement(path, Paging.FIRST.after("1:1:" + path)).path()).isEqualTo(path);
    assertThat(client.raid(new RaidRequest(path, true, Optional.empty(), Optional.empty())).path())
        .isEqualTo(path);
  }

  @Test
  void versionsCodecsAndNodesAreAnswered() throws IOException {
    assertThat(client.version().version()).isEqualTo(Build.current().version());
    assertThat(client.version().api()).isEqualTo("v1");
    assertThat(client.version().hadoop()).isEqualTo("3.5.0");
    assertThat(client.version().formats()).containsOnlyKeys("catalog", "index", "manifest");
    assertThat(client.version().commit()).isEqualTo(Build.current().commit());
    assertThat(client.version().java())
        .startsWith(System.getProperty("java.specification.version"));
    assertThat(client.codecs().codecs())
        .filteredOn(codec -> codec.name().equals("rs-6-3"))
        .singleElement()
        .satisfies(codec -> assertThat(codec.overhead()).isEqualTo(1.5))
        .satisfies(codec -> assertThat(codec.lossesTolerated()).isEqualTo(3))
        .satisfies(codec -> assertThat(codec.blocksReadPerRepair()).isEqualTo(6))
        .satisfies(codec -> assertThat(codec.nodes()).isEqualTo(9))
        .satisfies(codec -> assertThat(codec.policies()).containsExactly("warehouse"));
    assertThat(client.nodes().nodes())
        .singleElement()
        .satisfies(one -> assertThat(one.state()).isEqualTo(NodesReport.State.SILENT));
    assertThat(client.openApi().path("openapi").asText()).isEqualTo("3.1.0");
  }

  @Test
  void whatIsKeptLeftAndSavedIsAnsweredToo() throws IOException {
    assertThat(client.quarantine("/data/", Paging.first(5)).items()).isEmpty();
    assertThat(client.footprint().committed()).isEqualTo(1);
    assertThat(client.savings("/data/", 3, true).total().expectedSaving()).isEqualTo(16);
    assertThat(client.restore(new QuarantineRequest("/a", true)).action())
        .isEqualTo(ChangePreview.Action.RESTORE);
    assertThat(client.purge(new QuarantineRequest("/a", false)).outcome())
        .isEqualTo(ChangePreview.Outcome.ACCEPTED);
    assertThat(client.withdraw(new WithdrawRequest(false, true, true)).outcome())
        .isEqualTo(ChangePreview.Outcome.PLANNED);
    assertThat(client.pause(new PauseRequest(false, false)).outcome())
        .isEqualTo(ChangePreview.Outcome.ACCEPTED);

    assertThat(wiring.services.asked)
        .containsExactly(
            "quarantine /data 5",
            "traces",
            "savings /data 3 true",
            "restore " + new QuarantineRequest("/a", true),
            "purge " + new QuarantineRequest("/a", false),
            new WithdrawRequest(true, true, true).toString(),
            new PauseRequest(false, false).toString());
  }

  @Test
  void whatIsPlannedAndHowOldFilesAreIsAnswered() throws IOException {
    assertThat(client.plan(Optional.of("a b")).files()).isEqualTo(9);
    assertThat(client.plan(Optional.empty()).smallFiles().files()).isEqualTo(1);
    assertThat(client.histogram("/data/").path()).isEqualTo("/data");

    assertThat(wiring.services.asked)
        .containsExactly("outlook a b", "outlook all", "histogram /data");
  }

  @Test
  void policiesAreCheckedAsTheFileOrAsJson() throws Exception {
    String wrong = "policies:\n  - {name: a, paths: [/a], coldAfter: soon, codec: rs-6-3}\n";
    String doubtful =
        """
        policies:
          - {name: all, paths: [/], coldAfter: 1d, codec: rs-6-3}
          - {name: some, paths: [/a], coldAfter: 1d, codec: rs-6-3}
        """;

    assertThat(client.validate(new ValidatePoliciesRequest(wrong)))
        .satisfies(answer -> assertThat(answer.valid()).isFalse())
        .satisfies(
            answer ->
                assertThat(answer.problems())
                    .singleElement()
                    .satisfies(one -> assertThat(one.key()).isEqualTo("policies[0].coldAfter"))
                    .satisfies(one -> assertThat(one.message()).contains("soon")));
    assertThat(client.validate(new ValidatePoliciesRequest(doubtful)))
        .satisfies(answer -> assertThat(answer.valid()).isTrue())
        .satisfies(answer -> assertThat(answer.policies()).isEqualTo(2))
        .satisfies(
            answer ->
                assertThat(answer.warnings())
                    .singleElement()
                    .satisfies(one -> assertThat(one.key()).isEqualTo("policies[1]")));
    for (String type : List.of("application/yaml", "text/yaml", "text/plain")) {
      JsonNode answer =
          JSON.readTree(
              send(HttpRequest.newBuilder(node.address().resolve("/api/v1/policies/validate"))
                      .header("Content-Type", type)
                      .POST(BodyPublishers.ofString(wrong)))
                  .body());
      assertThat(answer.path("problems").path(0).path("key").asText())
          .as(type)
          .isEqualTo("policies[0].coldAfter");
    }
    assertThat(error(post("/api/v1/policies/validate", "{}"), 400).path("detail").asText())
        .contains("yaml must be the content of a policies.yml");
    assertThat(error(post("/api/v1/policies/validate", "null"), 400).path("code").asText())
        .isEqualTo("BAD_REQUEST");
  }

  @Test
  void anImpossibleDepthOfSavingsIsRefused() throws Exception {
    for (String depth : List.of("many", "-1", "33")) {
      assertThat(error(get("/api/v1/savings?depth=" + depth), 400).path("detail").asText())
          .contains(depth);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "0.0", "\"false\"", "\"no\""})
  void onlyABooleanTellsWhetherAChangeIsOnlyShown(String dryRun) throws Exception {
    JsonNode error =
        error(post("/api/v1/raid", "{\"path\": \"/data\", \"dryRun\": %s}".formatted(dryRun)), 400);
    assertThat(error.path("detail").asText()).contains("dryRun");
    assertThat(wiring.services.asked).isEmpty();
  }

  @Test
  void theActiveDaemonSaysThatItIsTheActiveOne() throws Exception {
    assertThat(client.daemon().role()).isEqualTo(DaemonReport.Role.ACTIVE);
    assertThat(client.daemon().epoch()).contains(3L);
    assertThat(get("/api/v1/daemon").body())
        .isEqualTo(
            "{\"role\":\"ACTIVE\",\"version\":\"1.2.3\",\"process\":\"process 1 on here\",\"since\":"
                + "\"2026-03-01T12:00:00.000Z\",\"epoch\":3,\"standby\":null,\"problem\":\"\"}");
    assertThat(error(get("/api/v1/daemon?of=raid2"), 400).path("detail").asText()).contains("of");
  }

  @Test
  void aFailoverIsOnlyShownUnlessItIsTold() throws Exception {
    assertThat(client.failover(new FailoverRequest(Optional.empty(), null)).begun()).isFalse();
    assertThat(client.failover(new FailoverRequest(Optional.of("raid2"), false)).to())
        .contains("raid2");
    assertThat(wiring.services.asked).containsExactly("failover - true", "failover raid2 false");
  }

  @Test
  void aStormIsOnlyShownUnlessItIsToldToBeOverridden() throws Exception {
    assertThat(client.storm().storm().orElseThrow().why()).isEqualTo("the power");
    assertThat(client.storm(new StormRequest(null)).overridden()).isFalse();
    assertThat(client.storm(new StormRequest(false)).overridden()).isTrue();
    assertThat(wiring.services.asked)
        .containsExactly("override storm true", "override storm false");
  }

  @Test
  void hoursAreOnlyShownUnlessTheyAreToldToBeOverridden() throws Exception {
    assertThat(client.windows().override()).isEmpty();
    assertThat(post("/api/v1/windows", "{\"mode\": \"OPEN\", \"durationSeconds\": 14400}").body())
        .contains("\"changed\":false");
    WindowsReport followed = client.windows(new WindowsRequest(Mode.FOLLOW, Duration.ZERO, false));
    assertThat(followed.changed()).isTrue();
    for (String wrong :
        List.of(
            "{\"mode\": \"OPEN\"}",
            "{\"durationSeconds\": 14400}",
            "{\"mode\": \"CLOSED\", \"durationSeconds\": 691200}",
            "{\"mode\": \"FOLLOW\", \"durationSeconds\": 3600}")) {
      assertThat(post("/api/v1/windows", wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(wiring.services.asked)
        .containsExactly(
            new WindowsRequest(Mode.OPEN, Duration.ofHours(4), true).toString(),
            new WindowsRequest(Mode.FOLLOW, Duration.ZERO, false).toString());
  }

  @Test
  void aChangeOfSettingsIsOnlyShownUnlessItIsToldOtherwise() throws Exception {
    assertThat(client.settings().changed()).isFalse();
    assertThat(put("/api/v1/settings", "{\"values\": {\"raiding.workers\": 3}}").body())
        .contains("\"changed\":false");
    assertThat(client.change(new SettingsRequest(Map.of("a.b", "c"), false)).changed()).isTrue();
    assertThat(wiring.services.asked)
        .containsExactly(
            "settings",
            new SettingsRequest(Map.of("raiding.workers", "3"), true).toString(),
            new SettingsRequest(Map.of("a.b", "c"), false).toString());
    assertThat(error(put("/api/v1/settings", "{}"), 400).path("detail").asText())
        .isEqualTo("The request names no setting");
  }

  @Test
  void requestsOnlyPlanUnlessTheyAreToldOtherwise() throws Exception {
    for (String path : List.of("raid", "unraid", "repair", "scrub")) {
      HttpResponse<String> planned = post("/api/v1/" + path, "{\"path\": \"/data\"}");
      assertThat(JSON.readTree(planned.body()).path("outcome").asText())
          .as(path)
          .isEqualTo("PLANNED");
    }
    assertThat(wiring.services.asked).hasSize(4).allMatch(asked -> asked.contains("dryRun=true"));
    wiring.services.asked.clear();
    assertThat(
            client
                .raid(new RaidRequest("/data", false, Optional.of("rs-6-3"), Optional.of(2)))
                .outcome())
        .isEqualTo(ChangePreview.Outcome.ACCEPTED);
    assertThat(client.unraid(new UnraidRequest("/data", false)).action())
        .isEqualTo(ChangePreview.Action.UNRAID);
    assertThat(client.repair(RepairRequest.below("/data", false)).bytesToRead()).isEqualTo(10);
    assertThat(client.scrub(new ScrubRequest("/data", true, false)).action())
        .isEqualTo(ChangePreview.Action.SCRUB);
    assertThat(wiring.services.asked).hasSize(4).allMatch(asked -> asked.contains("dryRun=false"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "not json",
        "{\"path\": ",
        "[]",
        "{}",
        "{\"path\": \"relative\"}",
        "{\"path\": \"/a\", \"dryrun\": false}",
        "{\"path\": \"/a\", \"dryRun\": \"perhaps\"}"
      })
  void aBodyThatIsNotARequestIsRefusedAndNothingIsDone(String body) throws Exception {
    for (String path : List.of("raid", "unraid", "repair", "scrub")) {
      JsonNode error = error(post("/api/v1/" + path, body), 400);
      assertThat(error.path("code").asText()).as(error.toString()).isEqualTo("BAD_REQUEST");
    }
    assertThat(wiring.services.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/files?limit=0, 400, limit must be 1 to 1000",
    "/api/v1/files?limit=1001, 400, limit must be 1 to 1000",
    "/api/v1/history?limit=many, 400, limit must be a whole number",
    "/api/v1/files?state=cold, 400, There is no state cold",
    "/api/v1/files?path=data, 400, path must be an absolute path",
    "/api/v1/explain?path=/a:b, 400, path must be one that HDFS can have",
    "/api/v1/fsck?path=/a/../b, 400, path must be one that HDFS can have",
    "/api/v1/fsck?path=//a, 400, path must be one that HDFS can have",
    "/api/v1/files/seven, 400, An inode id is a number",
    "/api/v1/explain, 400, path must be an absolute path",
    "/api/v1/files/8, 404, No file with inode id 8 is known",
    "/api/v1/explain?path=/gone, 404, There is no file /gone",
    "/api/v1/nonsense, 404, There is nothing here",
    "/no-such, 404, There is nothing here",
    "/api/v1/raid, 405, This path does not support this method",
    "/api/v1/explain?path=/nn-down, 502, HDFS did not answer as needed: Connection refused"
  })
  void everyFailureSaysWhatIsWrong(String path, int status, String message) throws Exception {
    assertThat(error(get(path), status).path("detail").asText()).startsWith(message);
  }

  @Test
  void aFaultOfTheDaemonTellsAStrangerNothingButItsNumber() throws Exception {
    JsonNode error = error(get("/api/v1/explain?path=/bug"), 500);
    assertThat(error.path("code").asText()).isEqualTo("INTERNAL");
    assertThat(error.toString()).doesNotContain("secret").containsPattern("error [0-9a-f]{8}");
  }

  @Test
  void whatIsRefusedIsAConflict() throws Exception {
    assertThat(error(post("/api/v1/raid", "{\"path\": \"/refused\"}"), 409).toString())
        .contains("REFUSED", "encryption zone");
    assertThat(error(post("/api/v1/unraid", "{\"path\": \"/full\"}"), 409).path("hint").asText())
        .isEqualTo("Make room.");
  }

  @Test
  void aChangeThatIsRefusedAsAWholeIsAConflictWithTheChangeInIt() throws Exception {
    for (String path : List.of("raid", "unraid", "repair", "scrub", "quarantine/restore")) {
      HttpResponse<String> response =
          post("/api/v1/" + path, "{\"path\": \"/all-refused\", \"dryRun\": false}");
      assertThat(response.statusCode()).as(path).isEqualTo(409);
      assertThat(response.headers().firstValue("Content-Type"))
          .contains("application/problem+json");
      JsonNode error = JSON.readTree(response.body());
      assertThat(error.path("code").asText()).isEqualTo("REFUSED");
      assertThat(error.path("detail").asText())
          .isEqualTo(
              "Nothing was changed, because all 1 files were refused. /all-refused/a: It is open");
      assertThat(error.path("hint").asText()).contains("'change'");
      assertThat(error.path("change").path("items").path(0).path("refused").asText())
          .isEqualTo("OPEN_FOR_WRITE");
      assertThat(post("/api/v1/" + path, "{\"path\": \"/all-refused\"}").statusCode())
          .as("a preview that shows refusals is a success")
          .isEqualTo(200);
    }
    assertThat(client.unraid(new UnraidRequest("/all-refused", false)).outcome())
        .isEqualTo(ChangePreview.Outcome.REFUSED);
  }

  private static HttpResponse<String> post(String path, String body, String key) throws Exception {
    return send(
        HttpRequest.newBuilder(node.address().resolve(path))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body)));
  }

  @Test
  void anAcceptedChangeNamesItsTask() throws Exception {
    String real = "{\"path\": \"/data\", \"dryRun\": false}";
    for (String path : List.of("raid", "unraid", "repair", "scrub", "quarantine/purge")) {
      HttpResponse<String> response = post("/api/v1/" + path, real);
      assertThat(response.statusCode()).as(path).isEqualTo(202);
      String task = JSON.readTree(response.body()).path("task").asText();
      assertThat(response.headers().firstValue("Location")).isPresent();
      URI location = node.address().resolve(response.headers().firstValue("Location").get());
      assertThat(location.getPath()).isEqualTo("/api/v1/tasks/" + task);
      assertThat(JSON.readTree(get(location.getPath()).body()).path("change").path("task").asText())
          .isEqualTo(task);
      assertThat(post("/api/v1/" + path, "{\"path\": \"/data\"}").statusCode()).isEqualTo(200);
    }
    assertThat(client.task("9999").progress().eta()).contains(Duration.ofSeconds(5));
    assertThat(client.tasks(Optional.of(TaskState.RUNNING), Paging.first(7)).next()).contains("1");
    assertThat(client.cancelTask("1", new CancelTaskRequest(false)).action())
        .isEqualTo(ChangePreview.Action.CANCEL);
    assertThat(wiring.services.asked).endsWith("tasks RUNNING 7", "cancel task 1 false");
    assertThat(error(get("/api/v1/tasks/404"), 404).path("detail").asText())
        .isEqualTo("There is no task 404");
    assertThat(error(get("/api/v1/tasks?state=cold"), 400).path("detail").asText())
        .isEqualTo("There is no state cold");
  }

  @Test
  void aRequestWithTheSameKeyIsStartedOnce() throws Exception {
    String real = "{\"path\": \"/data\", \"dryRun\": false}";
    HttpResponse<String> first = post("/api/v1/raid", real, "k-1");
    HttpResponse<String> again = post("/api/v1/raid", real, "k-1");

    assertThat(first.statusCode()).isEqualTo(202);
    assertThat(again.statusCode()).isEqualTo(202);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.headers().firstValue("Location"))
        .isEqualTo(first.headers().firstValue("Location"));
    assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(wiring.services.asked).hasSize(1);

    String other = "{\"path\": \"/other\", \"dryRun\": false}";
    for (HttpResponse<String> wrong :
        List.of(post("/api/v1/raid", other, "k-1"), post("/api/v1/unraid", real, "k-1"))) {
      JsonNode error = error(wrong, 422);
      assertThat(error.path("detail").asText()).contains("k-1", "another request");
    }
    assertThat(error(post("/api/v1/raid", real, "a b"), 400).path("hint").asText())
        .contains("visible characters");
    assertThat(wiring.services.asked).hasSize(1);
    assertThat(post("/api/v1/raid", real, "k-2").body()).isNotEqualTo(first.body());
    RaidRequest request = new RaidRequest("/data", false, Optional.empty(), Optional.empty());
    RaidNodeClient withKey = client.withIdempotencyKey("k-4");
    assertThat(withKey.raid(request).task()).isEqualTo(withKey.raid(request).task()).isPresent();
  }

  @Test
  void aKeyOfARequestThatStartedNothingIsFree() throws Exception {
    String refused = "{\"path\": \"/refused\", \"dryRun\": false}";
    assertThat(post("/api/v1/raid", refused, "k-3").statusCode()).isEqualTo(409);
    assertThat(post("/api/v1/raid", "{\"path\": \"/data\"}", "k-3").statusCode()).isEqualTo(200);
    assertThat(post("/api/v1/raid", "{\"path\": \"/data\", \"dryRun\": false}", "k-3").statusCode())
        .isEqualTo(202);
  }

  @Test
  void aBodyOfAnotherTypeIsRefused() throws Exception {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(node.address().resolve("/api/v1/raid"))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{\"path\": \"/a\"}")));
    assertThat(error(response, 415).path("hint").asText()).contains("application/json");
  }

  @Test
  void metricsAreThereForPrometheus() throws Exception {
    wiring.metrics.encoded(7, 1234);
    wiring.metrics.ended("scan", java.time.Duration.ofSeconds(2), false);
    URI metrics = node.adminAddress().resolve("/metrics");
    String text = send(HttpRequest.newBuilder(metrics)).body();
    assertThat(text)
        .contains("raid_encoded_bytes_total 1234.0")
        .contains("raid_job_runs_seconds_count{job_name=\"scan\",result=\"failed\"} 1")
        .contains("jvm_memory_used_bytes");
  }

  @Test
  void healthChecksAreThere() throws Exception {
    HttpResponse<String> health =
        send(HttpRequest.newBuilder(node.adminAddress().resolve("/healthcheck")));
    assertThat(health.statusCode()).isEqualTo(200);
    JsonNode checks = JSON.readTree(health.body());
    assertThat(checks.path("catalog").path("healthy").asBoolean()).isTrue();
    assertThat(checks.path("namenode").path("message").asText()).isEqualTo("20 live DataNodes");
  }

  @Test
  void onlyThisMachineIsListenedTo() {
    assertThat(node.address().getHost()).isEqualTo("127.0.0.1");
    assertThat(node.adminAddress().getHost()).isEqualTo("127.0.0.1");
    assertThat(node.adminAddress().getPort()).isNotEqualTo(node.address().getPort());
  }

  @Test
  void twoDaemonsOfOneProcessDoNotShareACatalog() {
    assertThatThrownBy(
            () -> RaidNode.start(StubWiring.settings(folder), new StubWiring(), Clock.systemUTC()))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("is in use by process");
  }
}
