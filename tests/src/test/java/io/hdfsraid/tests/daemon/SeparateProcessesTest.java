// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.version.VersionReport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The daemon runs against any HDFS: NameNode, DataNodes and daemon are processes that share nothing
 * but a configuration directory, and each of them can be killed.
 */
@Tag("full")
class SeparateProcessesTest {
  private static final int BLOCK = 128 << 10;
  private static final int NODES = 7;

  private static ProcessHdfs hdfs;

  @TempDir Path conf;
  private final Random random = new Random(2031);
  private final Map<String, byte[]> loaded = new TreeMap<>();

  @BeforeAll
  static void startHdfs() throws IOException {
    hdfs =
        ProcessHdfs.builder()
            .dataNodes(NODES)
            .blockSize(BLOCK)
            .heapMegabytes(96)
            .withBlockTokens()
            .deadAfter(Duration.ofSeconds(11))
            .set(
                "dfs.namenode.accesstime.precision",
                "1000") // or nobody knows what was read this hour
            .start();
  }

  @AfterAll
  static void stopHdfs() throws IOException {
    hdfs.close();
  }

  @BeforeEach
  void configure() throws IOException {
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
  void aKilledDataNodeIsMadeUpForWithoutAnybodyAskingForIt() throws Exception {
    load("/killed/cold/many", 7 * BLOCK + 4711);
    load("/killed/cold/few", 3 * BLOCK);
    load("/killed/warm/asked-for", 5 * BLOCK + 1);
    int victim = -1;
    try (DaemonProcess daemon = DaemonProcess.start(conf, hdfs.confDirectory())) {
      RaidNodeClient client = daemon.client();
      Shell shell = new Shell(daemon.address());
      awaitState(client, "/killed/cold", 2, FileState.RAIDED);
      assertThat(files(client, "/killed/warm"))
          .extracting(FileSummary::state)
          .contains(FileState.LEFT);
      assertThat(shell.run("raid", "/killed/warm", "--yes").exitCode()).isZero();
      awaitState(client, "/killed/warm", 1, FileState.RAIDED);
      awaitReplicas("/killed/cold/many", 1);
      assertThat(shell.run("fsck", "/killed").exitCode()).isZero();

      victim = holderOf("/killed/cold/many", 0);
      hdfs.killDataNode(victim);

      Until.holds(
          () -> repaired(client, "/killed").stream().anyMatch(e -> e.path().endsWith("many")),
          () -> daemon.output());
      awaitHealthy(client, "/killed");
      Until.holds(
          () -> client.repairs(Paging.FIRST).items().isEmpty(), () -> said(client, "/killed"));
      assertThat(repaired(client, "/killed"))
          .allSatisfy(entry -> assertThat(entry.by()).isEqualTo("repair job"))
          .allSatisfy(entry -> assertThat(entry.bytesWritten()).isPositive());
      // The NameNode, which believes in the killed node for a while, may drop the rebuilt replica
      // as
      // the excess one; then a later round makes up for that.
      Until.holds(this::isReadable, daemon::output);
      assertSameBytes();
      assertThat(hdfs.isRunning(victim)).isFalse();
      // The log says what was done with what, and little else.
      assertThat(daemon.output())
          .containsPattern("RepairResults: repaired .*path=\"/killed/cold/many\"")
          .doesNotContain("Quartz", "jetty");
    } finally {
      if (victim >= 0) {
        hdfs.restartDataNode(victim);
      }
    }
  }

  @Test
  void killedInTheMiddleItTakesOverAtOnceAndGoesOnAlsoWithoutItsNotebook() throws Exception {
    int files = 12;
    for (int i = 0; i < files; i++) {
      load("/again/cold/" + i, 4 * BLOCK + i);
    }
    DaemonProcess first = DaemonProcess.start(conf, hdfs.confDirectory());
    try {
      Until.holds(() -> in(FileState.RAIDED, files(first.client(), "/again")) > 0, first::output);
      aSecondOneIsRefusedUnlessItMayStandBy(first);
    } finally {
      first.kill();
    }
    List<FileSummary> before;
    try (DaemonProcess second = DaemonProcess.start(conf, hdfs.confDirectory())) {
      assertThat(second.output()).contains("Taking over", "process " + first.pid());
      awaitState(second.client(), "/again", files, FileState.RAIDED);
      assertThat(second.client().status().problems()).isEmpty();
      awaitHealthy(second.client(), "/again");
      assertSameBytes();
      before = files(second.client(), "/again");
    }
    withItsFolderDeletedItKnowsAgainWhatIsRaided(before);
  }

  /**
   * A machine that was paused, or a process that swapped: it wakes up in the middle of its work.
   */
  @Test
  void aDaemonThatWakesUpAfterAnotherTookOverChangesNothingAndStandsBy() throws Exception {
    for (int i = 0; i < 12; i++) {
      load("/frozen/cold/" + i, 4 * BLOCK + i);
    }
    DaemonProcess first = DaemonProcess.start(conf, hdfs.confDirectory());
    try {
      try (DaemonProcess second = another("other", "")) {
        Until.holds(() -> second.standbyAddress().isPresent(), second::output);
        Until.holds(
            () -> in(FileState.RAIDED, files(first.client(), "/frozen")) > 0, first::output);
        first.freeze();
        Until.holds(() -> second.starts() == 1, second::output);
        first.thaw();
        assertThat(second.output())
            .contains("process %d on ".formatted(first.pid()), "has sent no heartbeat for 20 s");
        Until.holds(() -> first.standbyAddress().isPresent(), first::output);
        assertThat(first.output())
            .contains("Another RaidNode has taken over: process " + second.pid());
        awaitState(second.client(), "/frozen", 12, FileState.RAIDED);
        assertThat(second.client().status().owner().state()).isEqualTo(Status.Owner.State.HELD);
        awaitHealthy(second.client(), "/frozen");
        assertSameBytes();
      }
      Until.holds(() -> first.starts() == 2, first::output);
      awaitState(first.client(), "/frozen", 12, FileState.RAIDED);
      awaitHealthy(first.client(), "/frozen");
      assertSameBytes();
    } finally {
      first.kill();
    }
  }

  @Test
  void aDaemonThatIsDeposedAndMayNotStandByEnds() throws Exception {
    Path settings = conf.resolve("raidnode.yml");
    Files.writeString(settings, Files.readString(settings) + "standby: {enabled: false}\n");
    try (DaemonProcess first = DaemonProcess.start(conf, hdfs.confDirectory())) {
      first.freeze();
      Until.holds(
          () -> hdfs.fileSystem().recoverLease(new org.apache.hadoop.fs.Path("/.raid/owner")),
          () -> "The lease is not recovered");
      try (DaemonProcess second = another("taker", "")) {
        Until.holds(() -> second.starts() == 1, second::output);
        first.thaw();
        assertThat(first.exitCode()).as(first::output).isEqualTo(4);
        assertThat(first.output())
            .contains("Another RaidNode has taken over: process " + second.pid());
      }
    }
  }

  /** What striped erasure coding cannot promise: there, hsync does nothing. */
  @Test
  void aRaidedFileKeepsWhatWasAppendedAndSyncedWhenAllDataNodesAreKilled() throws Exception {
    String path = "/synced/cold/file";
    load(path, 4 * BLOCK + 99);
    try (DaemonProcess daemon = DaemonProcess.start(conf, hdfs.confDirectory())) {
      awaitState(daemon.client(), "/synced", 1, FileState.RAIDED);
      awaitReplicas(path, 1);
    }
    byte[] more = new byte[BLOCK + 1];
    random.nextBytes(more);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    // A client of its own, which dies with the DataNodes: nobody closes the file.
    FileSystem writer = FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
    FSDataOutputStream out = writer.append(file);
    out.write(more);
    out.hsync();

    for (int node = 0; node < NODES; node++) {
      hdfs.killDataNode(node);
    }
    for (int node = 0; node < NODES; node++) {
      hdfs.restartDataNode(node);
    }

    Until.holds(() -> hdfs.fileSystem().recoverLease(file), () -> "The lease is not recovered");
    loaded.merge(path, more, SeparateProcessesTest::join);
    Until.holds(this::isReadable, () -> path + " cannot be read");
    assertSameBytes();
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  /** A NameNode that has been restarted is in safe mode first. */
  @Test
  void aDaemonThatIsStartedWithoutANameNodeWaitsForIt() throws Exception {
    hdfs.killNameNode();
    boolean away = true;
    try (DaemonProcess daemon =
        DaemonProcess.launch(conf, Optional.of(hdfs.confDirectory()), Map.of())) {
      Until.holds(() -> daemon.output().contains("REST answers 503 on "), daemon::output);
      hdfs.restartNameNode();
      hdfs.waitActive();
      away = false;
      Until.holds(() -> daemon.output().contains("RaidNode is ready"), daemon::output);
      Until.holds(() -> ready(daemon) == 200, daemon::output);
      assertThat(daemon.output()).containsOnlyOnce(" does not answer: ");
      daemon.assertNoStackTrace();
    } finally {
      if (away) {
        hdfs.restartNameNode();
        hdfs.waitActive();
      }
    }
  }

  private static int ready(DaemonProcess daemon) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(daemon.adminAddress().resolve("/ready")).build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  /** Starts another daemon of the same configuration, with a notebook of its own. */
  private DaemonProcess another(String folder, String more) throws Exception {
    Path other = Files.createDirectory(conf.resolve(folder));
    Files.writeString(
        other.resolve("raidnode.yml"), Files.readString(conf.resolve("raidnode.yml")) + more);
    Files.copy(conf.resolve("policies.yml"), other.resolve("policies.yml"));
    return DaemonProcess.launch(other, Optional.of(hdfs.confDirectory()), Map.of());
  }

  private void aSecondOneIsRefusedUnlessItMayStandBy(DaemonProcess first) throws Exception {
    try (DaemonProcess second = another("refused", "standby: {enabled: false}\n")) {
      second.assertRefused("Another RaidNode works on this cluster", "process " + first.pid());
    }
    try (DaemonProcess second = another("standby", "")) {
      Until.holds(() -> second.standbyAddress().isPresent(), second::output);
      assertThat(second.output())
          .contains("The daemon stands by: process %d on ".formatted(first.pid()));
      URI standby = second.standbyAddress().orElseThrow();
      RaidNodeClient client = RaidNodeClient.at(standby);
      Until.holds(() -> isSentOn(client), second::output);
      assertThat(client.status().owner()).isEqualTo(first.client().status().owner());
      HttpResponse<Void> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(standby.resolve("/api/v1/files?path=%2Fa%20b"))
                      .POST(HttpRequest.BodyPublishers.noBody())
                      .build(),
                  BodyHandlers.discarding());
      assertThat(answer.statusCode()).isEqualTo(307);
      assertThat(answer.headers().firstValue("Location"))
          .contains(first.address() + "/api/v1/files?path=%2Fa%20b");
      eachSaysHowItIs(first, standby, second);
      second.assertNoStackTrace();
    }
  }

  private static void eachSaysHowItIs(DaemonProcess first, URI standby, DaemonProcess second)
      throws Exception {
    RaidNodeClient client = RaidNodeClient.at(standby);
    Until.holds(() -> client.daemon().problem().isEmpty(), () -> "its index follows");
    DaemonReport waiting = client.daemon();
    DaemonReport active = first.client().daemon();
    assertThat(active.role()).isEqualTo(DaemonReport.Role.ACTIVE);
    assertThat(active.process()).isEqualTo(first.client().status().owner().holder());
    assertThat(active.since()).isEqualTo(first.client().status().owner().since().orElseThrow());
    assertThat(active.epoch().orElseThrow()).isPositive();
    assertThat(waiting.role()).isEqualTo(DaemonReport.Role.STANDBY);
    assertThat(waiting.process()).startsWith("process %d on ".formatted(second.pid()));
    assertThat(waiting.standby().orElseThrow().active()).contains(active.process());
    assertThat(waiting.standby().orElseThrow().address()).contains(first.address().toString());
    DaemonReport.Index index = waiting.standby().orElseThrow().index().orElseThrow();
    assertThat(index.transaction().orElseThrow()).isPositive();
    assertThat(index.imageRead()).isPresent();
    assertThat(index.behind().orElseThrow()).isLessThan(Duration.ofMinutes(1));

    Shell.Answer both = new Shell(URI.create(first.address() + "," + standby)).run("daemons");
    assertThat(both.exitCode()).as(both::toString).isZero();
    assertThat(both.out()).contains("1 active, 1 standing by, 0 without an answer");
  }

  private static boolean isSentOn(RaidNodeClient standby) throws IOException {
    try {
      VersionReport unused = standby.version();
      return true;
    } catch (RaidNodeException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY);
      return false;
    }
  }

  private void withItsFolderDeletedItKnowsAgainWhatIsRaided(List<FileSummary> before)
      throws Exception {
    delete(conf.resolve("catalog"));
    try (DaemonProcess daemon = DaemonProcess.start(conf, hdfs.confDirectory())) {
      awaitState(daemon.client(), "/again", before.size(), FileState.RAIDED);
      assertThat(files(daemon.client(), "/again"))
          .extracting(
              FileSummary::inode, FileSummary::path, FileSummary::stripes, FileSummary::parityBytes)
          .containsExactlyInAnyOrderElementsOf(
              before.stream()
                  .map(file -> tuple(file.inode(), file.path(), file.stripes(), file.parityBytes()))
                  .toList());
      // Known again, not raided again.
      long epoch = daemon.client().history("/", Paging.FIRST).items().get(0).epoch();
      assertThat(daemon.client().history("/again", Paging.FIRST).items())
          .filteredOn(entry -> entry.epoch() == epoch) // those of earlier daemons are restored
          .allSatisfy(entry -> assertThat(entry.bytesWritten()).isZero());
      awaitHealthy(daemon.client(), "/again");
      assertSameBytes();
    }
  }

  @Test
  void whoMayNotOrCannotListenHearsItInOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path other = Files.createDirectory(conf.resolve("other"));
      Files.copy(conf.resolve("policies.yml"), other.resolve("policies.yml"));
      Files.writeString(
          other.resolve("raidnode.yml"),
          Files.readString(conf.resolve("raidnode.yml"))
              .replaceFirst("port: 0", "port: " + taken.getLocalPort()));
      try (DaemonProcess stranger =
              DaemonProcess.launch(
                  conf, Optional.of(hdfs.confDirectory()), Map.of("HADOOP_USER_NAME", "alice"));
          DaemonProcess late =
              DaemonProcess.launch(other, Optional.of(hdfs.confDirectory()), Map.of())) {
        stranger.assertRefused("User alice is no superuser of hdfs://", "Run it as the user of");
        late.assertRefused(
            "127.0.0.1:" + taken.getLocalPort(), "already in use", "choose another port");
      }
    }
  }

  private void load(String path, int length) throws IOException {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    try (OutputStream out = hdfs.fileSystem().create(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
    loaded.put(path, bytes);
  }

  private boolean isReadable() throws IOException {
    try {
      assertSameBytes();
      return true;
    } catch (BlockMissingException e) {
      return false;
    }
  }

  private void assertSameBytes() throws IOException {
    for (Map.Entry<String, byte[]> file : loaded.entrySet()) {
      try (FSDataInputStream in =
          hdfs.fileSystem().open(new org.apache.hadoop.fs.Path(file.getKey()))) {
        assertThat(in.readAllBytes()).as(file.getKey()).isEqualTo(file.getValue());
      }
    }
  }

  private static List<FileSummary> files(RaidNodeClient client, String below) throws IOException {
    return client.files(below, Optional.empty(), Paging.first(1000)).items();
  }

  private static long in(FileState state, List<FileSummary> files) {
    return files.stream().filter(file -> file.state() == state).count();
  }

  private static void awaitState(RaidNodeClient client, String below, int count, FileState state)
      throws Exception {
    Until.holds(
        () -> in(state, files(client, below)) == count,
        () -> "%d files %s below %s".formatted(count, state, below) + said(client, below));
  }

  private static void awaitHealthy(RaidNodeClient client, String below) throws Exception {
    Until.holds(
        () -> client.fsck(below, Paging.FIRST).summary().worst() == HealthState.HEALTHY,
        () -> said(client, below));
  }

  private static String said(RaidNodeClient client, String below) {
    try {
      return "\n%s\n%s\n%s"
          .formatted(
              files(client, below),
              client.history(below, Paging.FIRST).items(),
              client.fsck(below, Paging.FIRST));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static List<HistoryEntry> repaired(RaidNodeClient client, String below)
      throws IOException {
    return client.history(below, Paging.FIRST).items().stream()
        .filter(entry -> entry.event().equals("repaired"))
        .toList();
  }

  private static List<LocatedBlock> blocks(String path) throws IOException {
    return hdfs.fileSystem()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  private static void awaitReplicas(String path, int replicas) throws Exception {
    Until.holds(
        () -> blocks(path).stream().allMatch(block -> block.getLocations().length == replicas),
        () -> "one replica of each block of " + path);
  }

  private static int holderOf(String path, int block) throws IOException {
    String holder = blocks(path).get(block).getLocations()[0].getXferAddr();
    for (int node = 0; node < NODES; node++) {
      if (hdfs.xferAddress(node).equals(holder)) {
        return node;
      }
    }
    throw new AssertionError("Nobody is " + holder);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
