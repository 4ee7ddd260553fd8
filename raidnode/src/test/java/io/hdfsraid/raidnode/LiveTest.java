// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What open web pages are told. */
class LiveTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path folder;
  private static RunningRaidNode node;

  @BeforeAll
  static void start() throws StartException {
    node = RaidNode.start(StubWiring.settings(folder), new StubWiring(), Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpResponse<InputStream> listen() throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(node.address().resolve("/live")).build(),
        BodyHandlers.ofInputStream());
  }

  private static BufferedReader lines(HttpResponse<InputStream> answer) {
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  private static String next(BufferedReader lines) throws Exception {
    String event = lines.readLine();
    assertThat(lines.readLine()).isEqualTo("data:");
    assertThat(lines.readLine()).isEmpty();
    return event;
  }

  @Test
  void aPageIsToldOfEachSecondWhetherSomethingHasChanged() throws Exception {
    HttpResponse<InputStream> answer = listen();
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    try (BufferedReader lines = lines(answer)) {
      String event = next(lines);
      while (event.equals("event: changed")) {
        event = next(lines);
      }
      assertThat(event).isEqualTo("event: same");
      node.daemon().catalog().notes().text("test", "changed");
      while (event.equals("event: same")) {
        event = next(lines);
      }
      assertThat(event).isEqualTo("event: changed");
    }
  }

  /** Or the server would wait for the request to end, which it never does by itself. */
  @Test
  void anOpenPageDoesNotHoldUpTheEnd(@TempDir Path own) throws Exception {
    RunningRaidNode other =
        RaidNode.start(StubWiring.settings(own), new StubWiring(), Clock.systemUTC());
    HttpResponse<InputStream> page =
        HTTP.send(
            HttpRequest.newBuilder(other.address().resolve("/live")).build(),
            BodyHandlers.ofInputStream());
    try (BufferedReader lines = lines(page)) {
      next(lines);
      long began = System.nanoTime();
      other.close();
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .as("the server would wait for 30 seconds")
          .isLessThan(Duration.ofSeconds(15));
      assertThat(lines.lines().filter(line -> line.startsWith("event"))).hasSizeLessThan(5);
    }
  }

  @Test
  void pagesAreBoundedAndThoseThatCloseMakeRoom() throws Exception {
    List<HttpResponse<InputStream>> open = new ArrayList<>();
    HttpResponse<InputStream> answer = listen();
    while (answer.statusCode() == 200) {
      open.add(answer);
      assertThat(open).hasSizeLessThanOrEqualTo(50);
      answer = listen();
    }
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(open).hasSizeGreaterThan(40);
    for (HttpResponse<InputStream> each : open) {
      each.body().close();
    }
    while (answer.statusCode() == 503) {
      answer = listen();
    }
    assertThat(answer.statusCode()).isEqualTo(200);
    answer.body().close();
  }
}
