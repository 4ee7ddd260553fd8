// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidshell.RaidShell;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One daemon, as a process, that guards two clusters. Only the name of one has a failover, as in a
 * federation without high availability.
 */
@Tag("full")
class NameservicesTest {
  private static final int BLOCK = 64 << 10;
  private static final int FILES = 4;

  @TempDir private Path folder;

  private static ProcessHdfs hdfs() throws IOException {
    return ProcessHdfs.builder()
        .dataNodes(6)
        .blockSize(BLOCK)
        .heapMegabytes(96)
        .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK)
        .start();
  }

  @Test
  void oneDaemonGuardsBothAndOneThatIsDownHoldsUpNotTheOther() throws Exception {
    try (ProcessHdfs east = hdfs();
        ProcessHdfs west = hdfs()) {
      Path hadoop = configurationOf(Map.of("east", east, "west", west));
      Path conf =
          new QuietDaemon(folder.resolve("conf"))
              .busyWith(
                  """
                  hdfs: {nameservices: [east, west]}
                  raiding: {quarantine: 0s}
                  repair: {delay: 0s, retryAfter: 1s}
                  """);
      Files.writeString(
          conf.resolve("policies.yml"),
          """
          policies:
            - {name: east-only, paths: ["hdfs://east/east/**"], coldAfter: 90d, minAge: 0, codec: rs-3-2}
            - {name: everywhere, paths: ["/warehouse/**"], coldAfter: 90d, minAge: 0, codec: rs-3-2}
          """);
      ColdFiles onlyEast = write(east, "/east");
      ColdFiles notWest = write(west, "/east");
      ColdFiles inEast = write(east, "/warehouse");
      final ColdFiles inWest = write(west, "/warehouse");
      try (DaemonProcess daemon = DaemonProcess.launch(conf, Optional.of(hadoop), Map.of())) {
        Until.holds(() -> daemon.output().contains("RaidNode guards east, west"), daemon::output);
        RaidNodeClient ofEast = RaidNodeClient.at(daemon.addressOf("east"));
        RaidNodeClient ofWest = RaidNodeClient.at(daemon.addressOf("west"));

        Until.holds(() -> raided(ofEast).size() == 2 * FILES, daemon::output);
        Until.holds(() -> raided(ofWest).size() == FILES, daemon::output);
        assertThat(raided(ofEast)).containsAll(onlyEast.paths()).containsAll(inEast.paths());
        assertThat(raided(ofWest)).isEqualTo(inWest.paths());
        assertThat(ofEast.status().nameservice()).isEqualTo("hdfs://east");
        assertThat(ofWest.policies().policies()).hasSize(1);
        assertThatTheShellAsksTheOneThatIsNamed(daemon.addressOf("west").resolve("/"));
        DaemonProcess status = DaemonProcess.launch(conf, Optional.of(hadoop), Map.of(), "status");
        assertThat(status.exitCode()).as(status::output).isZero();
        assertThat(status.output()).contains("/ns/NAME/api/v1", "It is ready");
        assertThat(offline(conf, hadoop, "west")).contains("4 raided files below /");
        assertThat(offline(conf, hadoop, "east")).contains("8 raided files below /");

        east.killNameNode();
        west.loseFirstBlock(inWest.paths().iterator().next());
        Until.holds(() -> health(ofWest) == HealthState.DEGRADED, daemon::output);
        Until.holds(() -> health(ofWest) == HealthState.HEALTHY, daemon::output);
        Until.holds(
            () -> ofEast.status().problems().toString().contains("NAMENODE_AWAY"), daemon::output);
        assertThat(ofWest.status().problems().toString()).doesNotContain("NAMENODE_AWAY");

        east.restartNameNode();
        east.loseFirstBlock(inEast.paths().iterator().next());
        Until.holds(() -> isAnswered(ofEast, HealthState.DEGRADED), daemon::output);
        Until.holds(() -> isAnswered(ofEast, HealthState.HEALTHY), daemon::output);
      }
      DaemonProcess check =
          DaemonProcess.launch(
              conf, Optional.of(hadoop), Map.of(), "catalog", "check", "--nameservice=west");
      assertThat(check.exitCode()).as(check::output).isZero();
      assertThat(check.output()).contains("catalog/west is whole");
      for (ColdFiles files : List.of(onlyEast, notWest, inEast, inWest)) {
        files.assertWhole();
      }
    }
  }

  private static void assertThatTheShellAsksTheOneThatIsNamed(URI root) {
    Shell shell = new Shell(root);
    Shell.Answer west = shell.run("--nameservice=west", "status");
    assertThat(west.exitCode()).as(west::toString).isZero();
    assertThat(west.out()).contains("hdfs://west");
    Shell.Answer both = shell.run("--nameservice=west", "files", "hdfs://east/warehouse");
    assertThat(both.exitCode()).as(both::toString).isNotZero();
    assertThat(both.err()).contains("hdfs://west", "hdfs://east");
    Shell.Answer none = shell.run("status");
    assertThat(none.exitCode()).as(none::toString).isNotZero();
    assertThat(none.err()).contains("--nameservice east");
  }

  /** Runs {@code raidshell fsck --offline}, and returns what it prints. */
  private static String offline(Path conf, Path hadoop, String nameservice) throws Exception {
    ProcessBuilder shell =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dhdfsraid.conf=" + conf,
                "-cp",
                hadoop + File.pathSeparator + System.getProperty("java.class.path"),
                RaidShell.class.getName(),
                "fsck",
                "--offline",
                "/")
            .redirectErrorStream(true);
    shell.environment().put("RAIDNODE_NAMESERVICE", nameservice);
    Process process = shell.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  private static ColdFiles write(ProcessHdfs hdfs, String top) throws IOException {
    return ColdFiles.write(hdfs.fileSystem(), top, FILES, BLOCK, FILES + 2);
  }

  private static Set<String> raided(RaidNodeClient client) throws IOException {
    Set<String> paths = new TreeSet<>();
    try {
      for (FileSummary file :
          client.files("/", Optional.of(FileState.RAIDED), Paging.first(100)).items()) {
        paths.add(file.path());
      }
    } catch (RaidNodeException e) {
      return paths; // the daemon of this nameservice is about to start
    }
    return paths;
  }

  private static HealthState health(RaidNodeClient client) throws IOException {
    return client.fsck("/warehouse", Paging.FIRST).summary().worst();
  }

  private static boolean isAnswered(RaidNodeClient client, HealthState state) throws IOException {
    try {
      return health(client) == state;
    } catch (RaidNodeException e) {
      return false; // it has not seen yet that the NameNode is back
    }
  }

  /** Returns a Hadoop configuration that names several clusters, as clients have it. */
  private Path configurationOf(Map<String, ProcessHdfs> clusters) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", String.join(",", new TreeSet<>(clusters.keySet())));
    for (Map.Entry<String, ProcessHdfs> cluster : clusters.entrySet()) {
      String name = cluster.getKey();
      Configuration own = cluster.getValue().configuration();
      boolean mayFailOver = name.equals("east");
      if (mayFailOver) {
        conf.set("dfs.ha.namenodes." + name, "nn");
        conf.set(
            "dfs.client.failover.proxy.provider." + name,
            ConfiguredFailoverProxyProvider.class.getName());
      }
      String suffix = mayFailOver ? name + ".nn" : name;
      conf.set("dfs.namenode.rpc-address." + suffix, cluster.getValue().uri().getAuthority());
      for (String key : List.of("http-address", "https-address")) {
        conf.set("dfs.namenode.%s.%s".formatted(key, suffix), own.get("dfs.namenode." + key));
      }
      conf.set("dfs.block.access.token.enable", own.get("dfs.block.access.token.enable", "false"));
    }
    Path directory = Files.createDirectories(folder.resolve("hadoop"));
    try (var out = Files.newBufferedWriter(directory.resolve("hdfs-site.xml"))) {
      conf.writeXml(out);
    }
    Configuration core = new Configuration(false);
    core.set("fs.defaultFS", "hdfs://east");
    try (var out = Files.newBufferedWriter(directory.resolve("core-site.xml"))) {
      core.writeXml(out);
    }
    return directory;
  }
}
