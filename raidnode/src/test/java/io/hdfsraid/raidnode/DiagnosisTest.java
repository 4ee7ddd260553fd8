// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of the admin port that tools for Hadoop's daemons expect. */
class DiagnosisTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path folder;
  private static RunningRaidNode node;

  @BeforeAll
  static void start() throws Exception {
    node =
        RaidNode.start(
            StubWiring.settings(
                Files.createDirectory(folder.resolve("admin")), "admin", "portable"),
            new StubWiring(),
            Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.adminAddress().resolve(path)).header("X-Test", "yes");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  private static JsonNode property(JsonNode conf, String key) {
    return StreamSupport.stream(conf.path("properties").spliterator(), false)
        .filter(property -> property.path("key").asText().equals(key))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No " + key));
  }

  @Test
  void theConfigurationInForceIsShownWithItsDefaultsAndItsSources() throws Exception {
    HttpResponse<String> answer = get("/conf?format=json");

    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode conf = JSON.readTree(answer.body());
    JsonNode ours = property(conf, "raidnode.hdfs.streamsPerDataNode");
    assertThat(ours.path("value").asText()).isEqualTo("4");
    assertThat(ours.path("resource").asText()).isEqualTo("raidnode.yml");
    assertThat(property(conf, "raidnode.repair.delay").path("value").asText())
        .isEqualTo("15 minutes");
    assertThat(property(conf, "dfs.client.read.shortcircuit").path("value").asText())
        .isEqualTo("false");
    assertThat(JSON.readTree(get("/conf", "Accept", "application/json").body())).isEqualTo(conf);
  }

  @Test
  void theConfigurationIsXmlUnlessSomebodyAsksForJson() throws Exception {
    HttpResponse<String> answer = get("/conf?name=raidnode.coding.kernel");

    assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/xml");
    assertThat(answer.body())
        .startsWith("<?xml")
        .contains("<name>raidnode.coding.kernel</name>", "<value>portable</value>");
  }

  @Test
  void whatNobodyHasSetIsNotFound() throws Exception {
    assertThat(get("/conf?name=no.such.key").statusCode()).isEqualTo(404);
    assertThat(get("/conf?format=yaml").statusCode()).isEqualTo(400);
  }

  @Test
  void beansAreChosenByTheirNames() throws Exception {
    HttpResponse<String> answer =
        get("/jmx?qry=" + URLEncoder.encode("java.lang:type=Memory", StandardCharsets.UTF_8));

    JsonNode beans = JSON.readTree(answer.body()).path("beans");
    assertThat(beans).hasSize(1);
    assertThat(beans.path(0).path("name").asText()).isEqualTo("java.lang:type=Memory");
    assertThat(beans.path(0).path("HeapMemoryUsage").path("used").asLong()).isPositive();
  }

  @Test
  void allBeansAreThereAndWrongPatternsAreRefused() throws Exception {
    JsonNode beans = JSON.readTree(get("/jmx").body()).path("beans");

    assertThat(beans).hasSizeGreaterThan(20);
    assertThat(JSON.readTree(get("/jmx?qry=no:type=such").body()).path("beans")).isEmpty();
    assertThat(get("/jmx?qry=nonsense").statusCode()).isEqualTo(400);
  }

  @Test
  void stacksOfAllThreadsAreShown() throws Exception {
    assertThat(get("/stacks").body()).contains("DiagnosisTest", "main", "java.lang.Thread");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/conf", "/jmx", "/stacks"})
  void theyAreForAdminsOnly(String page) throws Exception {
    Path own = Files.createTempDirectory(folder, "operators");
    try (RunningRaidNode ofOperators =
        RaidNode.start(
            StubWiring.settings(own, "operator", "portable"),
            new StubWiring(),
            Clock.systemUTC())) {
      HttpRequest request =
          HttpRequest.newBuilder(ofOperators.adminAddress().resolve(page)).build();
      assertThat(HTTP.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    }
  }
}
