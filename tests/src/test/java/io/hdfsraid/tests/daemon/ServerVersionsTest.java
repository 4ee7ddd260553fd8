// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.status.AccessSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole life of raided files on clusters of other versions of Hadoop, whose NameNodes and
 * DataNodes are processes with the jars of that version.
 */
@Tag("full")
class ServerVersionsTest {
  private static final Path HADOOP_33 = Path.of("../applications/servers-3.3/target/jars");
  private static final Path HADOOP_34 = Path.of("../applications/router/target/jars");
  private static final Path HADOOP_35 = Path.of("../applications/hadoop/target/jars");
  private static final int NODES = 7;
  private static final int BLOCK = 64 << 10;
  private static final int FILES = 4;

  @TempDir Path folder;

  /**
   * A cluster.
   *
   * @param nameNode the folder of the NameNode's jars
   * @param dataNodes those of the DataNodes, in turn
   */
  record Servers(String name, boolean blockTokens, Path nameNode, List<Path> dataNodes) {
    static Servers of(String name, boolean blockTokens, Path jars) {
      return new Servers(name, blockTokens, jars, List.of(jars));
    }

    ProcessHdfs start() throws IOException {
      ProcessHdfs.Builder builder =
          ProcessHdfs.builder()
              .dataNodes(NODES)
              .blockSize(BLOCK)
              .heapMegabytes(96)
              .nameNodeJars(nameNode)
              .dataNodeJars(dataNodes)
              .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK);
      return (blockTokens ? builder.withBlockTokens() : builder).start();
    }

    @Override
    public String toString() {
      return name + (blockTokens ? " with block tokens" : "");
    }
  }

  static Stream<Servers> clusters() {
    return Stream.of(
        Servers.of("3.3.6", false, HADOOP_33),
        Servers.of("3.3.6", true, HADOOP_33),
        Servers.of("3.4.2", false, HADOOP_34),
        Servers.of("3.4.2", true, HADOOP_34),
        // In the middle of a rolling upgrade, which begins with the NameNode.
        new Servers("3.5.0, upgrading", true, HADOOP_35, List.of(HADOOP_33, HADOOP_34, HADOOP_35)));
  }

  @ParameterizedTest
  @MethodSource("clusters")
  void filesAreRaidedRepairedAndLetGo(Servers servers) throws Exception {
    Path conf =
        new QuietDaemon(folder.resolve("conf"))
            .with("raiding: {quarantine: 0s}\nrepair: {delay: 0s, retryAfter: 1s}\n");
    try (ProcessHdfs hdfs = servers.start()) {
      ColdFiles files = ColdFiles.write(hdfs.fileSystem(), "/warehouse", FILES, BLOCK, FILES + 2);
      try (DaemonProcess daemon = DaemonProcess.start(conf, hdfs.confDirectory())) {
        RaidNodeClient client = daemon.client();
        Shell shell = new Shell(daemon.address());
        assertThat(shell.run("raid", "/warehouse", "--yes").exitCode()).isZero();
        await(client, FileState.RAIDED, daemon::output);
        awaitReplicas(hdfs, files, 1);
        assertThat(client.status().sources())
            .as("of what is known about files and their use")
            .filteredOn(source -> source.name().equals("access-times"))
            .extracting(AccessSource::problem)
            .containsOnly("");

        vanish(hdfs, files.paths().iterator().next());
        assertThat(client.fsck("/warehouse", Paging.FIRST).summary().worst())
            .isEqualTo(HealthState.DEGRADED);
        Until.holds(() -> repaired(client).size() == 1, daemon::output);
        hdfs.killDataNode(0);
        // As an operator does who knows that it will not come back.
        Until.holds(
            () -> {
              shell.run("repair", "/warehouse", "--yes");
              return client.fsck("/warehouse", Paging.FIRST).summary().worst()
                  == HealthState.HEALTHY;
            },
            daemon::output);
        hdfs.restartDataNode(0);
        files.assertWhole();

        assertThat(shell.run("unraid", "/warehouse", "--yes").exitCode()).isZero();
        await(client, FileState.LEFT, daemon::output);
        awaitReplicas(hdfs, files, 3);
        files.assertWhole();
        daemon.assertNoStackTrace();
      }
    }
  }

  private static void await(RaidNodeClient client, FileState state, Supplier<String> output)
      throws Exception {
    Until.holds(
        () ->
            client.files("/warehouse", Optional.empty(), Paging.FIRST).items().stream()
                    .filter(file -> file.state() == state)
                    .count()
                == FILES,
        output);
  }

  private static List<HistoryEntry> repaired(RaidNodeClient client) throws IOException {
    return client.history("/warehouse", Paging.FIRST).items().stream()
        .filter(entry -> entry.event().equals("repaired"))
        .toList();
  }

  private static List<LocatedBlock> blocks(ProcessHdfs hdfs, String path) throws IOException {
    return hdfs.fileSystem()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  private static void awaitReplicas(ProcessHdfs hdfs, ColdFiles files, int replicas)
      throws Exception {
    for (String path : files.paths()) {
      Until.holds(
          () ->
              blocks(hdfs, path).stream()
                  .allMatch(block -> block.getLocations().length == replicas),
          () -> "%d replicas of each block of %s".formatted(replicas, path));
    }
  }

  /** Deletes the only replica of the first block of a file from its disk. */
  private static void vanish(ProcessHdfs hdfs, String path) throws IOException {
    String name = "blk_" + blocks(hdfs, path).get(0).getBlock().getBlockId();
    int deleted = 0;
    for (int node = 0; node < NODES; node++) {
      Set<Path> replicas;
      try (Stream<Path> tree = Files.walk(hdfs.dataDirectory(node))) {
        replicas =
            tree.filter(file -> file.getFileName().toString().matches(name + "(_\\d+\\.meta)?"))
                .collect(Collectors.toSet());
      }
      for (Path replica : replicas) {
        Files.delete(replica);
        deleted++;
      }
    }
    assertThat(deleted).as("a data file and a checksum file").isEqualTo(2);
  }
}
