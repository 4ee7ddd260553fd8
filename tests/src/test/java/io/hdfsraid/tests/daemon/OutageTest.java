// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidapi.status.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The NameNode is killed under load: files are raided, a DataNode has been killed so that stripes
 * are repaired, a scrub runs, and an operator asks for more. {@code -Doutage.minutes} sets how long
 * the NameNode is away. In a second test the NameNode is frozen.
 *
 * <p>Seen with ten minutes on two busy cores: 13 lines of the log, 2 of the history, 24,582 answers
 * of which the slowest but the first of all took 0.7 s; work went on 2 s after the return, and all
 * was done after 19 s.
 */
@Tag("full")
class OutageTest {
  private static final Duration AWAY = Duration.ofMinutes(Long.getLong("outage.minutes", 2));
  private static final int BLOCK = 128 << 10;
  private static final int NODES = 8;
  private static final int FILES = 60;

  /** Lines about work that was under way when the NameNode went. */
  private static final int MOST_OTHER_LINES = 10;

  private static final Pattern LOGGED = Pattern.compile("^\\w+ +\\[([^]]+)\\]");
  private static final DateTimeFormatter LOG_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT);

  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  private static ProcessHdfs hdfs;

  @TempDir Path conf;
  private final Random random = new Random(2031);
  private final Map<String, byte[]> loaded = new TreeMap<>();
  private final Map<String, List<Duration>> took = new TreeMap<>();
  private final Map<String, String> answers = new TreeMap<>();

  @BeforeAll
  static void startHdfs() throws IOException {
    hdfs =
        ProcessHdfs.builder()
            .dataNodes(NODES)
            .blockSize(BLOCK)
            .heapMegabytes(96)
            .withBlockTokens()
            .deadAfter(Duration.ofSeconds(11))
            .set("dfs.namenode.accesstime.precision", "1000")
            .start();
  }

  @AfterAll
  static void stopHdfs() throws IOException {
    hdfs.close();
  }

  private void configure() throws IOException {
    Files.writeString(
        conf.resolve("raidnode.yml"),
        """
        catalog: {directory: catalog}
        raiding: {quarantine: 0s}
        repair: {delay: 0s, retryAfter: 1s}
        schedule: {scan: "0/2 * * * * ?", integrityCheck: "1/2 * * * * ?"}
        recency: {atimeSince: 2020-01-01T00:00:00Z}
        api: {withoutToken: admin}
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          requestLog: {appenders: []}
        """);
    Files.writeString(
        conf.resolve("policies.yml"),
        """
        policies:
          - {name: cold, paths: ["/*/cold/**"], coldAfter: 1s, minAge: 0, codec: rs-3-2}
          - {name: warm, paths: ["/*/warm/**"], coldAfter: 365d, minAge: 0, codec: rs-3-2}
        """);
  }

  @Test
  void anOutageUnderLoadIsCalmAndEverythingGoesOnAfterwards() throws Exception {
    configure();
    for (int i = 0; i < FILES; i++) {
      load("/outage/cold/" + i, 4 * BLOCK + i);
    }
    load("/outage/warm/asked-for", 5 * BLOCK + 1);
    boolean away = false;
    try (DaemonProcess daemon = DaemonProcess.start(conf, hdfs.confDirectory())) {
      RaidNodeClient client = daemon.client();
      Until.holds(() -> in(FileState.RAIDED, client) >= FILES / 4, daemon::output);
      hdfs.killDataNode(0);
      Until.holds(() -> !client.repairs(Paging.FIRST).items().isEmpty(), daemon::output);
      client.scrub(new ScrubRequest("/outage", true, false));
      int linesBefore = lines(daemon).size();
      int historyBefore = history(client).size();
      long began = System.nanoTime();

      Instant killed = Instant.now();
      hdfs.killNameNode();
      Instant dead = Instant.now();
      away = true;
      Until.holds(
          () -> {
            ask(daemon, client);
            return since(began).compareTo(AWAY) >= 0;
          },
          AWAY.multipliedBy(2),
          daemon::output);

      List<String> logged = lines(daemon);
      List<String> said = logged.subList(linesBefore, logged.size());
      List<HistoryEntry> all = history(client);
      List<HistoryEntry> written = all.subList(0, all.size() - historyBefore);
      print(said, written);
      assertCalm(said, written, killed, dead);
      assertAnswers();
      restart();
      away = false;
      long back = System.nanoTime();
      Instant returned = Instant.now();
      Until.holds(() -> daemon.output().contains("is well again after"), daemon::output);
      Duration noticed = since(back);
      Until.holds(
          () -> history(client).stream().anyMatch(line -> isWork(line, returned)), daemon::output);
      Duration resumed = since(back);
      Until.holds(() -> isSettled(client), daemon::output);
      Until.holds(
          () -> client.fsck("/outage", Paging.FIRST).summary().worst() == HealthState.HEALTHY,
          daemon::output);
      Until.holds(() -> client.status().problems().isEmpty(), () -> problems(client));
      Duration done = since(back);
      System.out.printf(
          "It was noticed after %d s that the NameNode is back; work went on after %d s, everything was done after %d s%n",
          noticed.toSeconds(), resumed.toSeconds(), done.toSeconds());
      assertThat(resumed).isLessThan(LONGEST_PAUSE);
      assertThat(history(client))
          .filteredOn(line -> line.event().equals("namenode-back"))
          .singleElement()
          .satisfies(line -> assertThat(line.detail()).contains("is well again after "));
      assertSameBytes();
    } finally {
      if (away) {
        restart();
      }
    }
  }

  /** Without the DataNode too few blocks have a replica: the NameNode would stay in safe mode. */
  private static void restart() throws IOException {
    if (!hdfs.isRunning(0)) {
      hdfs.launch(0);
    }
    hdfs.killNameNode(); // if it runs, but has not left safe mode
    hdfs.restartNameNode();
  }

  /**
   * Hadoop's clients wait for minutes for an answer on a connection that stays open, so that the
   * daemon cannot ask while the NameNode is frozen.
   */
  @Test
  void healthChecksAnswerWhileTheNameNodeIsFrozenAndTellThatItIs() throws Exception {
    configure();
    boolean frozen = false;
    try (DaemonProcess daemon = DaemonProcess.start(conf, hdfs.confDirectory())) {
      RaidNodeClient client = daemon.client();
      Until.holds(
          () -> isHealthy(daemon, "namenode") && isHealthy(daemon, "owner"), daemon::output);

      hdfs.freezeNameNode();
      frozen = true;
      Until.holds(() -> !isHealthy(daemon, "namenode"), daemon::output);
      Until.holds(() -> !isHealthy(daemon, "owner"), daemon::output);
      time("owner", () -> client.status().owner().state());
      assertThat(answers.get("owner")).isEqualTo("UNKNOWN");
      assertThat(code(daemon.adminAddress().resolve("/ready"))).isEqualTo(503);

      hdfs.thawNameNode();
      frozen = false;
      Until.holds(
          () -> isHealthy(daemon, "namenode") && isHealthy(daemon, "owner"), daemon::output);
      assertThat(client.status().owner().state()).isEqualTo(Status.Owner.State.HELD);
      assertThat(took.values().stream().flatMap(List::stream).toList())
          .as("%s", took)
          .allMatch(time -> time.compareTo(LONGEST_ANSWER.multipliedBy(5)) < 0);
    } finally {
      if (frozen) {
        hdfs.thawNameNode();
      }
      hdfs.waitActive();
    }
  }

  private boolean isHealthy(DaemonProcess daemon, String check) throws Exception {
    time("health", () -> body(daemon.adminAddress().resolve("/healthcheck")));
    JsonNode found = ApiJson.mapper().readTree(answers.get("health")).path(check);
    assertThat(found.has("healthy")).as(answers.get("health")).isTrue();
    return found.path("healthy").asBoolean();
  }

  private void print(List<String> said, List<HistoryEntry> written) {
    said.forEach(System.out::println);
    written.forEach(System.out::println);
    System.out.printf(
        "The NameNode was away for %d s: %d lines of the log, %d of the history%n",
        AWAY.toSeconds(), said.size(), written.size());
    took.forEach(
        (what, times) ->
            System.out.printf(
                "%-10s %4d answers, slowest %5d ms: %s%n",
                what, times.size(), Collections.max(times).toMillis(), answers.get(what)));
  }

  /**
   * Work that had ended well before is told of until the NameNode is dead.
   *
   * @param killed when it was about to be killed
   * @param dead when it surely was
   */
  private static void assertCalm(
      List<String> said, List<HistoryEntry> written, Instant killed, Instant dead) {
    assertThat(said)
        .as("one line when it goes")
        .filteredOn(line -> line.contains(" does not answer: "))
        .hasSize(1);
    assertThat(said)
        .as("one a minute")
        .filteredOn(line -> line.contains(" has not answered for "))
        .hasSizeBetween((int) AWAY.toMinutes() - 1, (int) AWAY.toMinutes() + 1);
    assertThat(said)
        .as("work that was under way")
        .filteredOn(line -> !line.contains("NameNodeWatch: "))
        .filteredOn(line -> !isBefore(line.startsWith("INFO") ? dead : killed, line))
        .hasSizeLessThanOrEqualTo(MOST_OTHER_LINES);
    assertThat(said).noneMatch(line -> line.startsWith("! ") || line.startsWith("\tat "));
    assertThat(written).filteredOn(line -> line.event().equals("namenode-away")).hasSize(1);
    assertThat(written)
        .filteredOn(line -> !line.at().isBefore(line.succeeded() ? dead : killed))
        .hasSizeLessThanOrEqualTo(MOST_OTHER_LINES);
  }

  private static boolean isBefore(Instant time, String line) {
    Matcher logged = LOGGED.matcher(line);
    return logged.find()
        && LocalDateTime.parse(logged.group(1), LOG_TIME).toInstant(ZoneOffset.UTC).isBefore(time);
  }

  private void assertAnswers() {
    assertThat(answers.get("status"))
        .startsWith("[Problem[code=NAMENODE_AWAY, message=NameNode hdfs://127.0.0.1:")
        .contains(" has not answered since ", " min): ", "; raiding, repairs and scrubs wait")
        .contains("state=UNKNOWN");
    assertThat(answers.get("ready")).isEqualTo("503");
    assertThat(answers.get("live")).isEqualTo("200");
    for (String change : List.of("raid", "repair", "scrub", "fsck", "explain", "nodes")) {
      assertThat(answers.get(change)).as(change).contains(" has not answered since ");
    }
    List<Duration> slow =
        took.values().stream()
            .flatMap(List::stream)
            .filter(time -> time.compareTo(LONGEST_ANSWER) > 0)
            .toList();
    long asked = took.values().stream().mapToLong(List::size).sum();
    // This machine may be busy with other tests.
    assertThat(slow).hasSizeLessThan((int) (asked / 100));
  }

  private static boolean isWork(HistoryEntry line, Instant since) {
    return line.at().isAfter(since)
        && line.succeeded()
        && List.of("committed", "raided", "repaired", "reduced").contains(line.event());
  }

  /** An operator, and the monitoring, ask all the time. */
  private void ask(DaemonProcess daemon, RaidNodeClient client) throws Exception {
    time("status", () -> client.status().problems() + " " + client.status().owner());
    time("history", () -> client.history("/", Paging.FIRST).items().size());
    time("repairs", () -> client.repairs(Paging.FIRST).items().size());
    time("files", () -> client.files("/", Optional.empty(), Paging.FIRST).items().size());
    time("savings", () -> client.savings("/", 1, false));
    time("nodes", () -> client.nodes());
    time("footprint", () -> client.footprint());
    time("explain", () -> client.explain("/outage/cold/1"));
    time("fsck", () -> client.fsck("/outage", Paging.FIRST).summary());
    time("plan", () -> client.plan(Optional.empty()).toString().length());
    time(
        "raid",
        () ->
            client.raid(
                new RaidRequest("/outage/warm", false, Optional.empty(), Optional.empty())));
    time("repair", () -> client.repair(RepairRequest.below("/outage", false)));
    time("scrub", () -> client.scrub(new ScrubRequest("/outage", false, false)));
    time("live", () -> code(daemon.adminAddress().resolve("/live")));
    time("ready", () -> code(daemon.adminAddress().resolve("/ready")));
    time("health", () -> code(daemon.adminAddress().resolve("/healthcheck")));
    time("metrics", () -> code(daemon.adminAddress().resolve("/metrics")));
  }

  private interface Question {
    Object ask() throws Exception;
  }

  private void time(String what, Question question) throws Exception {
    long start = System.nanoTime();
    String answer;
    try {
      answer = String.valueOf(question.ask());
    } catch (IOException e) {
      answer = e.toString();
    }
    took.computeIfAbsent(what, none -> new ArrayList<>()).add(since(start));
    answers.put(what, answer);
  }

  private static int code(URI uri) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
        .statusCode();
  }

  private static String body(URI uri) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private static List<String> lines(DaemonProcess daemon) {
    // This daemon evaluates the index every two seconds, which needs no NameNode.
    return daemon
        .output()
        .lines()
        .filter(line -> !line.contains("namespace scanned"))
        .filter(line -> !line.contains(" audit: POST "))
        .toList();
  }

  /** Returns what this daemon has done: that of earlier ones is restored from the audit. */
  private static List<HistoryEntry> history(RaidNodeClient client) throws IOException {
    List<HistoryEntry> all = client.history("/", Paging.first(Paging.MAX_LIMIT)).items();
    long epoch = all.stream().mapToLong(HistoryEntry::epoch).max().orElse(0);
    return all.stream().filter(entry -> entry.epoch() == epoch).toList();
  }

  private static String problems(RaidNodeClient client) {
    try {
      return client.status().problems().toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long in(FileState state, RaidNodeClient client) throws IOException {
    return client.files("/outage/cold", Optional.empty(), Paging.first(1000)).items().stream()
        .filter(file -> file.state() == state)
        .count();
  }

  /** What was refused while a DataNode was dead is left until it is evaluated again. */
  private static boolean isSettled(RaidNodeClient client) throws IOException {
    return in(FileState.RAIDED, client) + in(FileState.LEFT, client) == FILES;
  }

  private void load(String path, int length) throws IOException {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    try (OutputStream out = hdfs.fileSystem().create(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
    loaded.put(path, bytes);
  }

  private void assertSameBytes() throws IOException {
    for (Map.Entry<String, byte[]> file : loaded.entrySet()) {
      try (FSDataInputStream in =
          hdfs.fileSystem().open(new org.apache.hadoop.fs.Path(file.getKey()))) {
        assertThat(in.readAllBytes()).as(file.getKey()).isEqualTo(file.getValue());
      }
    }
  }
}
