// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.rescue.doctor.DoctorCommand;
import io.hdfsraid.tests.client.ClientClassPath;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

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

  /** The sources of what is known about files and their use, without a problem each. */
  private static final Map<String, String> NO_PROBLEMS =
      Map.of("access-times", "", "audit-log", "", "image", "", "inotify", "");

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
              .withAuditLog()
              .nameNodeJars(nameNode)
              .dataNodeJars(dataNodes)
              .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK);
      return (blockTokens ? builder.withBlockTokens() : builder).start();
    }

    /** Returns what {@code doctor} says of the versions. */
    String asDoctorSays() {
      return name.endsWith("upgrading")
          ? "NameNode 3.5.0, DataNodes {3.3.6=3, 3.4.2=2, 3.5.0=2}"
          : "NameNode %s, DataNodes {%s=%d}".formatted(name, name, NODES);
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
    try (ProcessHdfs hdfs = servers.start()) {
      Path conf = configure(hdfs);
      assertThat(doctor(hdfs, conf)).contains(servers.asDoctorSays());
      ColdFiles files = ColdFiles.write(hdfs.fileSystem(), "/warehouse", FILES, BLOCK, FILES + 2);
      try (DaemonProcess daemon = DaemonProcess.start(conf, hdfs.confDirectory())) {
        RaidNodeClient client = daemon.client();
        Shell shell = new Shell(daemon.address());
        assertThat(shell.run("raid", "/warehouse", "--yes").exitCode()).isZero();
        await(client, FileState.RAIDED, daemon::output);
        awaitReplicas(hdfs, files, 1);
        Until.holds(() -> problems(client).equals(NO_PROBLEMS), () -> problems(client).toString());

        String lost = files.paths().iterator().next();
        daemon.freeze(); // or it repairs what is to be read through its loss
        try {
          assertThat(hdfs.deleteReplicas(blocks(hdfs, lost).get(0).getBlock().getBlockId()))
              .isOne();
          for (Path jars : Set.copyOf(servers.dataNodes())) {
            assertThat(get(hdfs, jars, lost)).isEqualTo(files.bytes(lost));
          }
        } finally {
          daemon.thaw();
        }
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

  /** Little happens by itself, and what is known about files and their use has all sources. */
  private Path configure(ProcessHdfs hdfs) throws IOException {
    Path conf =
        new QuietDaemon(folder.resolve("conf"))
            .with("raiding: {quarantine: 0s}\nrepair: {delay: 0s, retryAfter: 1s}\n");
    Path file = conf.resolve("raidnode.yml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("recency: {", "recency: {auditLogs: [%s], ".formatted(hdfs.auditLog())));
    return conf;
  }

  private static String doctor(ProcessHdfs hdfs, Path conf) {
    StringWriter out = new StringWriter();
    CommandSpec json =
        CommandSpec.create()
            .addOption(
                OptionSpec.builder("--json")
                    .type(boolean.class)
                    .scopeType(ScopeType.INHERIT)
                    .build());
    int unused =
        new CommandLine(json)
            .addSubcommand(new DoctorCommand(hdfs::configuration))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute("doctor", "--conf", conf.toString());
    return out.toString();
  }

  private static SortedMap<String, String> problems(RaidNodeClient client) {
    try {
      SortedMap<String, String> problems = new TreeMap<>();
      client.status().sources().forEach(source -> problems.put(source.name(), source.problem()));
      return problems;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a file with a client that has nothing but the jars of its Hadoop and our one jar. */
  private byte[] get(ProcessHdfs hdfs, Path jars, String path) throws Exception {
    Path site = Files.createTempDirectory(folder, "site");
    Files.copy(hdfs.confDirectory().resolve("hdfs-site.xml"), site.resolve("hdfs-site.xml"));
    Files.writeString(
        site.resolve("core-site.xml"),
        Files.readString(hdfs.confDirectory().resolve("core-site.xml"))
            .replace(
                "</configuration>",
                "<property><name>fs.hdfs.impl</name><value>%s</value></property></configuration>"
                    .formatted(DistributedRaidFileSystem.class.getName())));
    List<String> classPath = new ArrayList<>(List.of(site.toString()));
    classPath.addAll(ClientClassPath.of(jars));
    Path copy = site.resolve("copy");
    Path said = site.resolve("said");
    Process get =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                String.join(File.pathSeparator, classPath),
                "org.apache.hadoop.fs.FsShell",
                "-get",
                path,
                copy.toUri().toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(get.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      get.destroyForcibly();
    }
    assertThat(get.exitValue()).as(Files.readString(said)).isZero();
    return Files.readAllBytes(copy);
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
}
