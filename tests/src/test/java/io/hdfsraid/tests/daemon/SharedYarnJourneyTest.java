// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedYarn;
import io.hdfsraid.embedded.HadoopJars;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.rescue.doctor.DoctorCommand;
import io.hdfsraid.yarn.job.StripeJobs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Many files, and many others who want containers. */
@Tag("full")
class SharedYarnJourneyTest {
  private static final int BLOCK = 64 << 10;
  private static final int DATA_NODES = 12;
  private static final int FILES = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final String TASK = "org.apache.hadoop.mapred.YarnChild";

  /** The daemon's jobs have queue cold, and may have all that queue hot does not want. */
  private static final List<String> QUEUES =
      List.of(
          "yarn.scheduler.capacity.root.queues=hot,cold",
          "yarn.scheduler.capacity.root.hot.capacity=80",
          "yarn.scheduler.capacity.root.cold.capacity=20",
          "yarn.scheduler.capacity.root.cold.maximum-capacity=100",
          "yarn.scheduler.capacity.root.cold.user-limit-factor=10",
          "yarn.resourcemanager.scheduler.monitor.enable=true",
          "yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval=1000",
          "yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill=1000",
          "yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round=1.0",
          "yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor=1.0");

  @TempDir private static Path folder;

  private static EmbeddedHdfs hdfs;
  private static EmbeddedYarn yarn;

  @BeforeAll
  static void start() throws Exception {
    EmbeddedHdfs.Builder builder =
        EmbeddedHdfs.builder()
            .dataNodes(DATA_NODES)
            .racks(6)
            .blockSize(BLOCK)
            .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK)
            .withBlockTokens();
    EmbeddedYarn.actForOthers().forEach(builder::set);
    hdfs = builder.start();
    EmbeddedYarn.Builder queues =
        EmbeddedYarn.builder(
                hdfs.fileSystem(),
                HadoopJars.of(Path.of("..", "applications", "hadoop", "target", "jars")),
                folder.resolve("yarn"))
            .withStandby()
            .nodeManagers(1)
            .classes(StripeJobs.unpackaged());
    for (String queue : QUEUES) {
      String[] setting = queue.split("=", -1);
      queues.set(setting[0], setting[1]);
    }
    yarn = queues.start();
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      if (yarn != null) {
        yarn.close();
      }
    } finally {
      if (hdfs != null) {
        hdfs.close();
      }
    }
  }

  private static InProcessDaemon daemon(String name, String settings) throws Exception {
    Path conf = new QuietDaemon(folder.resolve(name).resolve("conf")).with(settings);
    return InProcessDaemon.start(conf, hdfs.uri(), yarn.configuration());
  }

  private static CompletableFuture<Void> scan(InProcessDaemon daemon) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            daemon.runJob("scan", PATIENCE);
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  private static List<ApplicationReport> applications() throws Exception {
    Configuration conf = yarn.configuration();
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(conf);
      client.start();
      return client.getApplications();
    }
  }

  /** YARN takes the containers of one job for another, and gives them back when that has ended. */
  @Test
  void preemptedContainersRunAgain() throws Exception {
    ColdFiles files = ColdFiles.write(hdfs.fileSystem(), "/warehouse/preempted", 12, BLOCK, 8);
    try (InProcessDaemon daemon =
        daemon(
            "preempted",
            """
            raiding: {engine: yarn}
            yarn: {queue: cold, memory: 512MiB, containers: 3, bytesPerTask: 1MB, bytesPerSecond: 120kB, gather: 1s, patience: 10m}
            """)) {
      CompletableFuture<Void> scan = scan(daemon);
      Until.holds(() -> yarn.containers(TASK).size() == 3, PATIENCE, () -> "three tasks");
      int memory = 1024; // so that it does not fit beside them
      String other = trialJob("yarn: {queue: hot, memory: %dMiB}%n".formatted(memory));
      assertThat(other).containsPattern("OK +YARN: trial job: application_\\S+ read a block");
      scan.join();
      daemon.awaitState("/warehouse/preempted", 12, FileState.RAIDED);

      assertThat(applications())
          .filteredOn(each -> each.getQueue().endsWith("cold"))
          .anySatisfy(
              each ->
                  assertThat(each.getApplicationResourceUsageReport().getPreemptedMemorySeconds())
                      .isPositive());
      assertThat(daemon.client().status().transfers())
          .as("bytes that passed through the daemon")
          .noneMatch(transfer -> transfer.purpose().equals("raiding"));
      daemon.run(0, "fsck");
      files.assertWhole();
    }
  }

  @Test
  void jobsOutliveAFailoverOfTheResourceManagers() throws Exception {
    ColdFiles files = ColdFiles.write(hdfs.fileSystem(), "/warehouse/failover", 6, BLOCK, 8);
    int before = applications().size();
    try (InProcessDaemon daemon =
        daemon(
            "failover",
            """
            raiding: {engine: yarn}
            yarn: {queue: cold, memory: 512MiB, containers: 1, attempts: 3, bytesPerTask: 1MB, bytesPerSecond: 120kB, gather: 1s, patience: 5m}
            """)) {
      CompletableFuture<Void> scan = scan(daemon);
      Until.holds(() -> !yarn.containers(TASK).isEmpty(), PATIENCE, () -> "a task");
      yarn.failOver();
      scan.join();
      daemon.awaitState("/warehouse/failover", 6, FileState.RAIDED);

      assertThat(applications()).as("jobs").hasSize(before + 1);
      assertThat(daemon.client().status().transfers())
          .as("bytes that passed through the daemon")
          .noneMatch(transfer -> transfer.purpose().equals("raiding"));
      files.assertWhole();
    }
  }

  private static String trialJob(String settings) throws Exception {
    Path conf = new QuietDaemon(folder.resolve("trial").resolve("conf")).with(settings);
    StringWriter out = new StringWriter();
    CommandSpec json =
        CommandSpec.create()
            .addOption(
                OptionSpec.builder("--json")
                    .type(boolean.class)
                    .scopeType(CommandLine.ScopeType.INHERIT)
                    .build());
    int unused =
        new CommandLine(json)
            .addSubcommand(new DoctorCommand(yarn::configuration))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute("doctor", "--conf", conf.toString(), "--trial-job");
    return out.toString();
  }

  @Test
  void aThousandAndFiveHundredBlocksAreEncodedAndTwoDataNodesRebuilt() throws Exception {
    ColdFiles files = ColdFiles.write(hdfs.fileSystem(), "/warehouse/many", FILES, BLOCK, 3);
    try (InProcessDaemon daemon =
        daemon(
            "many",
            """
            raiding: {engine: yarn, maxUnaudited: 10000}
            repair: {delay: 0s, retryAfter: 1s, stormPercent: 100}
            yarn: {queue: cold, memory: 512MiB, containers: 3, bytesPerTask: 20MB, gather: 2s, patience: 10m}
            """)) {
      daemon.runJob("scan", PATIENCE);
      Until.holds(
          () -> {
            daemon.runJob("reconcile", PATIENCE);
            return daemon
                    .client()
                    .files("/warehouse/many", Optional.of(FileState.RAIDED), Paging.first(FILES))
                    .items()
                    .size()
                == FILES;
          },
          PATIENCE,
          () -> "all to be raided: " + daemon.ask("status"));
      assertThat(daemon.client().status().transfers())
          .as("bytes that passed through the daemon")
          .noneMatch(transfer -> transfer.purpose().equals("raiding"));

      daemon.run(0, "settings", "--yes", "repair.engine=yarn");
      for (int node = 0; node < 2; node++) {
        hdfs.stopDataNode(node);
        hdfs.declareDead(node);
      }
      Until.holds(
          () -> {
            daemon.runJob("loss-reports", PATIENCE);
            return daemon.ask("fsck").exitCode() == 0;
          },
          PATIENCE,
          () -> "all blocks to be back: " + daemon.ask("fsck") + daemon.ask("repairs"));
      files.assertWhole();

      List<String> repaired =
          daemon
              .client()
              .history("/warehouse/many", Paging.first(Paging.MAX_LIMIT))
              .items()
              .stream()
              .filter(entry -> entry.event().equals("repaired"))
              .map(HistoryEntry::detail)
              .toList();
      assertThat(repaired)
          .as("the daemon repairs those that tolerate no further loss")
          .filteredOn(detail -> detail.contains(", rebuilt in application_"))
          .hasSizeGreaterThan(repaired.size() / 2);
    }
  }
}
