// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidnode.access.ModesOfDirectories;
import io.hdfsraid.raidnode.access.PermittedPaths;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TokensFile;
import io.hdfsraid.raidnode.rest.access.ViewFilter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What viewers see of {@code /data/a}, which is in a directory that only ann may list. */
class ViewsTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final AtomicBoolean ANSWERS = new AtomicBoolean(true);

  @TempDir static Path folder;

  private static StubWiring wiring;
  private static RunningRaidNode node;
  private static TokensFile tokens;

  @BeforeAll
  static void start() throws Exception {
    tokens = new TokensFile(folder.resolve("tokens.json"), Clock.systemUTC());
    wiring = new StubWiring();
    wiring.filters.add(
        new ViewFilter(
            new PermittedPaths(
                new ModesOfDirectories()
                    .with("/", "hdfs", true, true)
                    .with("/data", "ann", false, false),
                ANSWERS::get)));
    node =
        RaidNode.start(
            StubWiring.settings(folder, "viewer", "portable"), wiring, Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpResponse<String> ask(String user, Role role, String question)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.address().resolve("/api/v1/" + question));
    if (role == null) {
      request.header(ApiPaths.USER_HEADER, user);
    } else {
      String secret = tokens.create(user, role, Optional.empty()).secret();
      request.header("Authorization", "Bearer " + secret);
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void listsLeaveOutHiddenFilesAndGoOn() throws Exception {
    assertThat(ask("mallory", Role.VIEWER, "files").body())
        .isEqualTo("{\"items\":[],\"next\":\"7\"}");
    assertThat(ask("ann", Role.VIEWER, "files").body()).contains("/data/a");
    assertThat(ask("mallory", Role.OPERATOR, "files").body()).contains("/data/a");
    assertThat(ask("mallory", Role.ADMIN, "files").body()).contains("/data/a");
  }

  @Test
  void whatIsHiddenIsAnsweredLikeWhatIsNotThere() throws Exception {
    HttpResponse<String> hidden = ask("mallory", Role.VIEWER, "files/7");
    assertThat(hidden.statusCode()).isEqualTo(404);
    assertThat(hidden.headers().firstValue("Content-Type").orElseThrow())
        .isEqualTo("application/problem+json");
    assertThat(hidden.body())
        .contains("There is nothing here that you may see")
        .isEqualTo(ask("mallory", Role.VIEWER, "files/8").body())
        .isEqualTo(ask("mallory", Role.VIEWER, "fsck?path=/data").body())
        .isEqualTo(ask("mallory", Role.VIEWER, "fsck?path=/data/a").body())
        .isEqualTo(ask("mallory", Role.VIEWER, "explain?path=/gone").body())
        .isEqualTo(ask("mallory", Role.VIEWER, "history?path=/data/none").body());
    assertThat(ask("ann", Role.VIEWER, "files/7").statusCode()).isEqualTo(200);
    assertThat(ask("ann", Role.VIEWER, "files/8").body())
        .as("no other error tells ann more")
        .isEqualTo(hidden.body());
    assertThat(ask("mallory", Role.OPERATOR, "files/8").body()).contains("No file with inode id 8");
  }

  @Test
  void aNameWithoutATokenIsNotBelieved() throws Exception {
    assertThat(ask("ann", null, "files").body()).isEqualTo("{\"items\":[],\"next\":\"7\"}");
    assertThat(ask("ann", null, "files/7").statusCode()).isEqualTo(404);
  }

  @Test
  void patternsInHiddenDirectoriesAreHiddenToo() throws Exception {
    assertThat(ask("mallory", Role.VIEWER, "policies").body())
        .doesNotContain("/data/")
        .contains("\"name\":\"warehouse\"", "(hidden)");
    assertThat(ask("ann", Role.VIEWER, "policies").body()).contains("/data/**");
  }

  @Test
  void wrongRequestsAreExplainedToViewersAsToOthers() throws Exception {
    for (String wrong : new String[] {"files?path=data", "files?limit=0", "explain"}) {
      HttpResponse<String> response = ask("mallory", Role.VIEWER, wrong);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body()).isEqualTo(ask("mallory", Role.ADMIN, wrong).body());
    }
  }

  @Test
  void whileTheNameNodeIsAwayNamesAreHiddenAndTheStatusIsNot() throws Exception {
    ANSWERS.set(false);
    try {
      assertThat(ask("ann", Role.VIEWER, "files").statusCode()).isEqualTo(502);
      assertThat(ask("ann", Role.VIEWER, "files?path=/data").statusCode()).isEqualTo(502);
      HttpResponse<String> status = ask("ann", Role.VIEWER, "status");
      assertThat(status.statusCode()).isEqualTo(200);
      assertThat(status.body()).contains("hdfs://nn");
      assertThat(ask("ann", Role.OPERATOR, "files").statusCode()).isEqualTo(200);
    } finally {
      ANSWERS.set(true);
    }
  }

  private static HttpResponse<String> check(String path) throws Exception {
    String secret = tokens.create("mallory", Role.VIEWER, Optional.empty()).secret();
    return HTTP.send(
        HttpRequest.newBuilder(node.address().resolve(ApiPaths.FSCK))
            .header("Authorization", "Bearer " + secret)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"path\": \"%s\"}".formatted(path)))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void aCheckOfAHiddenPathIsNotStarted() throws Exception {
    HttpResponse<String> hidden = check("/data/a");

    assertThat(hidden.statusCode()).isEqualTo(404);
    assertThat(hidden.headers().firstValue("Location")).isEmpty();
    assertThat(wiring.services.asked).noneMatch(call -> call.equals("start fsck /data/a"));
  }

  @Test
  void aTaskThatAViewerStartsHasItsAddress() throws Exception {
    HttpResponse<String> response = check("/");

    assertThat(response.statusCode()).as(response::body).isEqualTo(202);
    assertThat(response.headers().firstValue("Location")).isPresent();
  }
}
