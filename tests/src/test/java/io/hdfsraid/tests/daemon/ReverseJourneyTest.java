// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.quarantine.QuarantinedParity;
import io.hdfsraid.raidapi.savings.SavingsReport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Everything that raiding does can be undone, file by file and as a whole. */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReverseJourneyTest {
  private static final String UNRAIDED = "trusted.raid.unraided";
  private static final int BLOCK = 128 << 10;
  private static final Random RANDOM = new Random(2041);

  @TempDir static Path conf;

  private static EmbeddedHdfs hdfs;
  private static InProcessDaemon daemon;

  @BeforeAll
  static void start() throws Exception {
    hdfs =
        EmbeddedHdfs.builder()
            .dataNodes(8)
            .racks(4)
            .blockSize(BLOCK)
            .withBlockTokens()
            // A copy that was ordered from a replica which is gone keeps the NameNode from ordering
            // another one; by default for five minutes.
            .set("dfs.namenode.reconstruction.pending.timeout-sec", "3")
            .start();
    Files.writeString(
        conf.resolve("raidnode.yml"),
        """
        catalog: {directory: catalog}
        raiding: {quarantine: 7d}
        repair: {delay: 0s, retryAfter: 1s}
        schedule: {scan: "0 0 0 1 1 ? 2098", integrityCheck: "0 0 0 1 1 ? 2098", cleanUp: "0 0 0 1 1 ? 2098"}
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
          - {name: cold, paths: ["/cold/**"], coldAfter: 0, minAge: 0, codec: rs-3-2}
        """);
    daemon = InProcessDaemon.start(conf, hdfs);
  }

  @AfterAll
  static void stop() throws IOException {
    daemon.close();
    hdfs.close();
  }

  @Test
  @Order(1)
  void aFileThatAnOperatorUnraidedIsNotRaidedAgainUntilHeRaidsItByHand() throws Exception {
    load("/cold/held/file", 4 * BLOCK);
    daemon.runJob("scan");
    daemon.awaitState("/cold/held", 1, FileState.RAIDED);

    daemon.run(0, "unraid", "/cold/held", "--yes");
    daemon.awaitState("/cold/held", 1, FileState.LEFT);
    daemon.runJob("scan");

    assertThat(daemon.run(0, "files", "/cold/held").row("/cold/held/file"))
        .contains("LEFT", "UNRAIDED_BY_OPERATOR");
    assertThat(daemon.run(0, "explain", "/cold/held/file").out()).contains("UNRAIDED_BY_OPERATOR");
    assertThat(replication("/cold/held/file")).isEqualTo(3);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/cold/held/file");
    assertThat(hdfs.fileSystem().getXAttrs(file))
        .as("for a daemon with a new catalog")
        .containsKey(UNRAIDED);

    daemon.run(0, "raid", "/cold/held", "--yes");
    daemon.awaitState("/cold/held", 1, FileState.RAIDED);
    assertThat(replication("/cold/held/file")).isEqualTo(1);
    assertThat(hdfs.fileSystem().getXAttrs(file)).isEmpty();
  }

  /** Only the edit log can tell: the integrity check is due in the year 2098. */
  @Test
  @Order(1)
  void whatAUserAppendsIsReplicatedWithinHalfAMinute() throws Exception {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/cold/appended/file");
    load(path.toString(), 4 * BLOCK);
    daemon.runJob("scan");
    daemon.awaitState("/cold/appended", 1, FileState.RAIDED);
    try (FSDataOutputStream out = hdfs.fileSystem().append(path)) {
      out.write(1);
      out.hsync();
      long acknowledged = System.nanoTime();
      Until.holds(
          () -> replication(path.toString()) == 3,
          () -> daemon.ask("history", path.toString()).toString());
      assertThat(Duration.ofNanos(System.nanoTime() - acknowledged))
          .isLessThan(Duration.ofSeconds(30));
    }
    assertThat(daemon.run(0, "history", path.toString()).out()).contains("edit log");
  }

  @Test
  @Order(1)
  void parityFollowsAChmodOfItsDirectoryAndOfItsFileByTheEditLog() throws Exception {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/cold/secret/file");
    load(path.toString(), 4 * BLOCK);
    daemon.runJob("scan");
    daemon.awaitState("/cold/secret", 1, FileState.RAIDED);
    long inode = ((HdfsFileStatus) hdfs.fileSystem().getFileStatus(path)).getFileId();
    org.apache.hadoop.fs.Path parity = parityOf(inode);
    assertThat(permission(parity)).isEqualTo(permission(path));

    FsPermission open = permission(path);
    FsPermission ownerOnly = new FsPermission("600");
    hdfs.fileSystem().setPermission(path.getParent(), new FsPermission("700"));
    assertFollowed(parity, ownerOnly);
    hdfs.fileSystem().setPermission(path.getParent(), new FsPermission("755"));
    assertFollowed(parity, open);

    hdfs.fileSystem().setPermission(path, ownerOnly);

    assertFollowed(parity, ownerOnly);
  }

  private static void assertFollowed(org.apache.hadoop.fs.Path parity, FsPermission wanted)
      throws Exception {
    Until.holds(
        () -> {
          daemon.runJob("recency");
          daemon.runJob("changed-files");
          return permission(parity).equals(wanted);
        },
        () -> "%s to have %s".formatted(parity, wanted));
  }

  private static FsPermission permission(org.apache.hadoop.fs.Path path) throws IOException {
    return hdfs.fileSystem().getFileStatus(path).getPermission();
  }

  private static org.apache.hadoop.fs.Path parityOf(long inode) throws IOException {
    var files = hdfs.fileSystem().listFiles(new org.apache.hadoop.fs.Path("/.raid"), true);
    while (files.hasNext()) {
      org.apache.hadoop.fs.Path path = files.next().getPath();
      if (path.getName().equals(Long.toString(inode))) {
        return path;
      }
    }
    throw new AssertionError("there is no parity of " + inode);
  }

  @Test
  @Order(2)
  void quarantinedParityIsListedRestoredAndPurgedAsFarAsIsSafe() throws Exception {
    byte[] bytes = load("/cold/kept/file", 5 * BLOCK + 77);
    load("/cold/kept/changed", 4 * BLOCK);
    daemon.runJob("scan");
    daemon.awaitState("/cold/kept", 2, FileState.RAIDED);
    daemon.run(0, "unraid", "/cold/kept", "--yes");
    daemon.awaitState("/cold/kept", 2, FileState.LEFT);
    try (OutputStream out =
        hdfs.fileSystem().append(new org.apache.hadoop.fs.Path("/cold/kept/changed"))) {
      out.write(1);
    }

    List<QuarantinedParity> kept = daemon.client().quarantine("/cold/kept", Paging.FIRST).items();
    assertThat(kept).hasSize(2).allSatisfy(each -> assertThat(each.due()).isAfter(each.since()));
    assertThat(daemon.run(0, "quarantine", "list", "/cold/kept").out())
        .contains("/cold/kept/file", "no: its file has other blocks");
    assertThat(daemon.run(6, "quarantine", "restore", "/cold/kept/changed", "--yes").out())
        .contains("DOES_NOT_FIT", "Refused; nothing was changed.");
    daemon.run(0, "quarantine", "restore", "/cold/kept/file");
    daemon.run(0, "quarantine", "purge", "/cold/kept/file");
    assertThat(daemon.client().quarantine("/cold/kept", Paging.FIRST).items())
        .as("after dry runs")
        .hasSize(2);

    daemon.run(0, "quarantine", "restore", "/cold/kept/file", "--yes");
    daemon.awaitState("/cold/kept/file", 1, FileState.RAIDED);
    assertThat(replication("/cold/kept/file")).isEqualTo(1);
    assertThat(read("/cold/kept/file")).isEqualTo(bytes);

    daemon.run(0, "quarantine", "purge", "/cold/kept", "--yes");
    Until.holds(
        () -> daemon.client().quarantine("/cold/kept", Paging.FIRST).items().isEmpty(),
        () -> daemon.ask("history", "/cold/kept").toString());
    assertThat(daemon.run(0, "history", "/cold/kept").row("parity-purged"))
        .contains("ok", System.getProperty("user.name"), "(unproven)", "/cold/kept/changed");
  }

  @Test
  @Order(3)
  void aFileThatLosesAllReplicasOfABlockIsRebuiltFromItsQuarantinedParity() throws Exception {
    byte[] bytes = load("/cold/needed/file", 3 * BLOCK);
    daemon.runJob("scan");
    daemon.awaitState("/cold/needed", 1, FileState.RAIDED);
    daemon.run(0, "unraid", "/cold/needed", "--yes");
    daemon.awaitState("/cold/needed", 1, FileState.LEFT);
    Until.holds(() -> replicas("/cold/needed/file") == 9, () -> "three replicas of each block");

    LocatedBlock block = blocks("/cold/needed/file").get(1);
    List<Integer> holders = new ArrayList<>();
    for (var holder : block.getLocations()) {
      holders.add(hdfs.dataNodeAt(holder.getXferAddr()).index());
    }
    // All of them before any is noticed: the NameNode would copy what is left.
    for (int node : holders) {
      hdfs.deleteReplica(block.getBlock().getBlockId(), node);
    }
    for (int node : holders) {
      hdfs.runDirectoryScanner(node); // as each DataNode does by itself, every six hours
    }
    hdfs.triggerBlockReports();
    Until.holds(() -> replicas("/cold/needed/file") == 6, () -> "the NameNode to know");
    Until.holds(
        () -> {
          daemon.runJob("integrity-check");
          daemon.runJob("reconcile");
          return daemon.ask("history", "/cold/needed").out().contains("repaired")
              && replicas("/cold/needed/file") == 9
              && !daemon.client().quarantine("/cold/needed", Paging.FIRST).items().isEmpty();
        },
        () -> daemon.ask("history", "/cold/needed").toString() + daemon.ask("repairs"));

    assertThat(read("/cold/needed/file")).isEqualTo(bytes);
    assertThat(daemon.run(0, "history", "/cold/needed").out())
        .contains("parity-restored", "Parity back from quarantine", "repaired");
    assertThat(replication("/cold/needed/file")).as("never lowered again").isEqualTo(3);
  }

  @Test
  @Order(4)
  void savingsAreExpectedFromTheCatalogAndRealisedOnHdfs() throws Exception {
    load("/cold/saved/alone", 6 * BLOCK);
    load("/cold/saved/snapped/file", 6 * BLOCK);
    load("/cold/saved/tiny", 100);
    org.apache.hadoop.fs.Path snapped = new org.apache.hadoop.fs.Path("/cold/saved/snapped");
    hdfs.fileSystem().allowSnapshot(snapped);
    hdfs.fileSystem().createSnapshot(snapped, "s");
    daemon.runJob("scan");
    try {
      daemon.awaitState("/cold/saved/alone", 1, FileState.RAIDED);
      Until.holds(() -> replicas("/cold/saved/alone") == 6, () -> "the excess replicas to go");
      SavingsReport report = daemon.client().savings("/cold/saved", 1, true);

      assertThat(report.measured().complete()).isTrue();
      SavingsReport.Row alone =
          report.directories().stream()
              .filter(row -> row.name().equals("/cold/saved"))
              .findFirst()
              .orElseThrow();
      assertThat(alone.logicalBytes()).isEqualTo(6L * BLOCK);
      assertThat(alone.beforeBytes()).isEqualTo(18L * BLOCK);
      assertThat(alone.expectedBytes()).isEqualTo(10L * BLOCK);
      assertThat(alone.actualBytes()).isEqualTo(10L * BLOCK);
      assertThat(report.codecs()).extracting(SavingsReport.Row::name).containsExactly("rs-3-2");
      assertThat(report.smallFiles().files()).as("tiny").isEqualTo(1);
      assertThat(daemon.run(0, "savings", "/cold/saved", "--complete").out())
          .contains("codec rs-3-2", "NO_COMPANY", "of all");
    } finally {
      hdfs.fileSystem().deleteSnapshot(snapped, "s");
      hdfs.fileSystem().disallowSnapshot(snapped);
    }
  }

  @Test
  @Order(5)
  void pausedPoliciesRaidNothing() throws Exception {
    load("/cold/paused/file", 4 * BLOCK);
    daemon.run(0, "pause");
    assertThat(daemon.run(0, "status").out()).doesNotContain("PAUSED");
    assertThat(daemon.run(0, "pause", "--yes").out()).contains("Done.");
    assertThat(daemon.run(0, "pause", "--yes").out()).contains("There is nothing to do.");

    daemon.runJob("scan");

    assertThat(replication("/cold/paused/file")).isEqualTo(3);
    assertThat(daemon.run(0, "status").out()).contains("PAUSED", "raidshell resume");
    daemon.run(0, "resume", "--yes");
    daemon.runJob("scan");
    daemon.awaitState("/cold/paused", 1, FileState.RAIDED);
  }

  @Test
  @Order(6)
  void unraidOfEverythingLeavesNoTraceAndSaysSo() throws Exception {
    for (int i = 0; i < 6; i++) {
      load("/cold/small/" + i, 30_000 + i);
    }
    NamespaceImage loaded = NamespaceImage.of(hdfs.fileSystem());
    daemon.runJob("scan");
    daemon.awaitState("/cold/small", 6, FileState.RAIDED);
    assertThat(replication("/cold/small/0")).isEqualTo(1);
    // What users have is what it was, so it is compared with itself under parity, replication
    // aside; files of a group carry an attribute meanwhile, and those that were unraided by hand.
    NamespaceImage before = withReplicationOf3(NamespaceImage.of(hdfs.fileSystem()));
    before
        .entries()
        .replaceAll(
            (path, entry) -> path.startsWith("/cold/small/") ? loaded.entries().get(path) : entry);
    assertThat(before.entries().get("/cold/kept/changed")).contains(UNRAIDED);
    before.entries().replaceAll((path, entry) -> entry.replaceAll(UNRAIDED + "=[0-9a-f]+", ""));
    assertThat(before.entries()).containsKey("/.raid/owner");
    assertThat(daemon.run(3, "footprint").out()).contains("parity files in service");

    assertThat(daemon.run(0, "unraid", "--all", "--remove-root").out())
        .contains("Every file under parity gets its replicas back", "add --yes");
    assertThat(daemon.run(0, "status").out()).doesNotContain("WITHDRAWING");
    daemon.run(0, "unraid", "--all", "--remove-root", "--yes");
    assertThat(daemon.run(6, "raid", "/cold", "--yes").err()).contains("being unraided");
    Until.holds(
        () -> {
          daemon.runJob("reconcile");
          return daemon.ask("footprint").exitCode() == 0;
        },
        () -> daemon.ask("footprint").toString() + daemon.ask("history"));

    assertThat(daemon.run(0, "footprint").out()).contains("Nothing is left: there is no /.raid");
    NamespaceImage after = NamespaceImage.of(hdfs.fileSystem());
    assertThat(after.entries().keySet()).noneMatch(path -> path.startsWith("/.raid"));
    before.entries().keySet().removeIf(path -> path.startsWith("/.raid"));
    assertThat(after).isEqualTo(before);
    assertThat(replicas("/cold/paused/file")).isEqualTo(12);
    assertThat(replicas("/cold/small/0")).isEqualTo(3);

    assertThat(daemon.run(0, "status").out()).contains("WITHDRAWN");
    assertThat(daemon.run(6, "raid", "/cold", "--yes").err()).contains("Restart the RaidNode");
    for (String job : List.of("scan", "integrity-check", "repair", "clean-up", "reconcile")) {
      daemon.runJob(job);
    }
    assertThat(NamespaceImage.of(hdfs.fileSystem())).isEqualTo(before);
  }

  @Test
  @Order(7)
  void startedAgainItStaysPausedUntilItIsToldToGoOn() throws Exception {
    daemon.close();
    daemon = InProcessDaemon.start(conf, hdfs);

    daemon.runJob("scan");
    assertThat(daemon.run(0, "status").out()).contains("PAUSED").doesNotContain("WITHDRAWN");
    assertThat(replication("/cold/paused/file")).isEqualTo(3);

    daemon.run(0, "resume", "--yes");
    daemon.runJob("scan");
    daemon.awaitState("/cold/paused", 1, FileState.RAIDED);
  }

  @Test
  @Order(8)
  void aRootThatWasDeletedWhileNoDaemonRanIsNoticedAtTheStart() throws Exception {
    daemon.close();
    boolean recursive = true;
    assertThat(hdfs.fileSystem().delete(new org.apache.hadoop.fs.Path("/.raid"), recursive))
        .isTrue();
    assertThat(replication("/cold/paused/file")).isEqualTo(1);

    daemon = InProcessDaemon.start(conf, hdfs);

    assertThat(daemon.run(3, "status").out()).contains("ROOT_REMADE", "policies raid nothing");
    daemon.runJob("integrity-check");
    assertThat(replication("/cold/paused/file")).isEqualTo(3);
  }

  private static NamespaceImage withReplicationOf3(NamespaceImage image) {
    image
        .entries()
        .replaceAll((path, entry) -> entry.replaceFirst("replication=1 ", "replication=3 "));
    return image;
  }

  private static byte[] load(String path, int length) throws IOException {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    try (OutputStream out = hdfs.fileSystem().create(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
    return bytes;
  }

  private static byte[] read(String path) throws IOException {
    try (FSDataInputStream in = hdfs.fileSystem().open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  private static int replication(String path) throws IOException {
    return hdfs.fileSystem().getFileStatus(new org.apache.hadoop.fs.Path(path)).getReplication();
  }

  private static List<LocatedBlock> blocks(String path) throws IOException {
    return hdfs.fileSystem()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  private static int replicas(String path) throws IOException {
    return blocks(path).stream().mapToInt(block -> block.getLocations().length).sum();
  }
}
