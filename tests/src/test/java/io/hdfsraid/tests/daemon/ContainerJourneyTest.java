// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedNode;
import io.hdfsraid.embedded.EmbeddedYarn;
import io.hdfsraid.embedded.HadoopJars;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.rescue.doctor.DoctorCommand;
import io.hdfsraid.yarn.job.StripeJobs;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Files are encoded and blocks rebuilt in containers of a real YARN. */
@Tag("full")
class ContainerJourneyTest {
  private static final int BLOCK = 128 << 10;
  private static final int FILES = 8;
  private static final int NODE_MANAGERS = 3;

  /** Otherwise a repair that has failed on this busy machine is tried again after minutes. */
  private static final String AT_ONCE = "repair: {delay: 0s, retryAfter: 1s}\n";

  /** Jobs wait for each other, and YARN misses a dead node after a while only. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final String TASK = "org.apache.hadoop.mapred.YarnChild";

  @TempDir private static Path folder;

  private static EmbeddedHdfs hdfs;
  private static EmbeddedYarn yarn;
  private static Configuration conf;

  @BeforeAll
  static void start() throws Exception {
    EmbeddedHdfs.Builder builder =
        EmbeddedHdfs.builder().dataNodes(9).racks(5).blockSize(BLOCK).withBlockTokens();
    EmbeddedYarn.actForOthers().forEach(builder::set);
    hdfs = builder.start();
    yarn =
        EmbeddedYarn.builder(
                hdfs.fileSystem(),
                HadoopJars.of(Path.of("..", "applications", "hadoop", "target", "jars")),
                folder.resolve("yarn"))
            .nodeManagers(NODE_MANAGERS)
            .classes(StripeJobs.unpackaged())
            .start();
    conf = yarn.configuration();
  }

  @AfterAll
  static void stop() throws Exception {
    if (yarn != null) {
      yarn.close();
    }
    hdfs.close();
  }

  private static ColdFiles load(String top, int files) throws Exception {
    return ColdFiles.write(hdfs.fileSystem(), top, files, BLOCK, FILES + 2);
  }

  private static InProcessDaemon start(String folderName, String yarnSettings) throws Exception {
    Path settings =
        new QuietDaemon(folder.resolve(folderName).resolve("conf"))
            .with("%sraiding: {engine: yarn}%nyarn: {%s}%n".formatted(AT_ONCE, yarnSettings));
    return InProcessDaemon.start(settings, hdfs.uri(), conf);
  }

  @Test
  void filesAreEncodedInContainersAndTheDaemonReadsNothing() throws Exception {
    ColdFiles files = load("/warehouse/near", FILES);
    Set<ApplicationId> before = ids();
    try (InProcessDaemon daemon =
        start(
            "near",
            "user: raid, memory: 512MiB, containers: 2, bytesPerTask: 1MB, gather: 1s, patience: 5m")) {
      daemon.runJob("scan", PATIENCE);
      daemon.awaitState("/warehouse/near", FILES, FileState.RAIDED);

      assertThat(applications())
          .filteredOn(each -> !before.contains(each.getApplicationId()))
          .singleElement()
          .satisfies(
              application ->
                  assertThat(application)
                      .as(application.getDiagnostics())
                      .returns(
                          FinalApplicationStatus.SUCCEEDED,
                          ApplicationReport::getFinalApplicationStatus)
                      .returns("raid", ApplicationReport::getUser));
      assertThat(daemon.client().status().transfers())
          .as("bytes that passed through the daemon")
          .noneMatch(transfer -> transfer.purpose().equals("raiding"));
      assertThat(daemon.client().status().containers().orElseThrow().refusal()).isEmpty();
      assertThat(daemon.ask("history", "/warehouse/near").out()).contains(" in application_");
      daemon.run(0, "fsck");
      files.assertWhole();

      loseABlockOfEach(files.paths());
      daemon.run(0, "repair", "/warehouse/near", "--yes", "--wait");
      files.assertWhole();
    }
    assertThat(hdfs.fileSystem().listStatus(new org.apache.hadoop.fs.Path("/.raid/tmp"))).isEmpty();
  }

  /** Deletes the first block of each file from the disk of its DataNode. */
  private static void loseABlockOfEach(Set<String> paths) throws Exception {
    for (String path : paths) {
      long block =
          hdfs.fileSystem().getClient().getLocatedBlocks(path, 0).get(0).getBlock().getBlockId();
      // Otherwise the NameNode would wait for ever for the end of a replica that is to be deleted.
      Until.holds(
          () -> hdfs.replicasOnDisk(block).size() == 1, () -> "excess replicas to be deleted");
      for (EmbeddedNode holder : hdfs.replicasOnDisk(block)) {
        hdfs.deleteReplica(block, holder.index());
        hdfs.runDirectoryScanner(holder.index());
      }
    }
  }

  @Test
  void lostBlocksAreRebuiltInContainersAndTheDaemonReadsNothing() throws Exception {
    ColdFiles files = load("/warehouse/lost", FILES);
    try (InProcessDaemon daemon =
        start(
            "lost",
            "user: raid, memory: 512MiB, containers: 2, bytesPerTask: 1MB, gather: 1s, patience: 5m")) {
      daemon.runJob("scan", PATIENCE);
      daemon.awaitState("/warehouse/lost", FILES, FileState.RAIDED);
      Set<ApplicationId> before = ids();
      // Before: the daemon looks for losses by itself, too.
      daemon.run(0, "settings", "--yes", "repair.engine=yarn");
      loseABlockOfEach(files.paths());

      daemon.runJob("loss-reports");
      Until.holds(
          () -> daemon.ask("fsck").exitCode() == 0,
          PATIENCE,
          () -> "all blocks to be back: " + daemon.ask("fsck") + daemon.ask("repairs"));

      files.assertWhole();
      Set<ApplicationId> during = ids();
      during.removeAll(before);
      assertThat(during).isNotEmpty();
      Until.holds(
          () ->
              applications().stream()
                  .filter(each -> during.contains(each.getApplicationId()))
                  .allMatch(
                      each -> each.getYarnApplicationState() == YarnApplicationState.FINISHED),
          () -> "the ends of " + during);
      assertThat(applications())
          .filteredOn(each -> during.contains(each.getApplicationId()))
          .allSatisfy(
              application ->
                  assertThat(application.getName() + " as " + application.getUser())
                      .containsPattern("repair [0-9]+ stripes as raid"));
      assertThat(daemon.client().status().transfers())
          .as("bytes that passed through the daemon")
          .noneMatch(transfer -> transfer.purpose().equals("repair"));
      assertThat(daemon.client().history("/warehouse/lost", Paging.FIRST).items())
          .filteredOn(entry -> entry.event().equals("repaired"))
          .isNotEmpty()
          .allSatisfy(
              entry ->
                  assertThat(entry.detail()).containsPattern(", rebuilt in application_[0-9_]+; "));
    }
    assertThat(hdfs.fileSystem().listStatus(new org.apache.hadoop.fs.Path("/.raid/tmp"))).isEmpty();
  }

  /** No job begins within the lifetime of its tokens. */
  @Test
  void theDaemonDoesWhatContainersMayNoLonger() throws Exception {
    ColdFiles files = load("/warehouse/expired", 4);
    Set<ApplicationId> before = ids();
    hdfs.expireBlockTokensAfter(Duration.ofSeconds(1));
    try (InProcessDaemon daemon =
        start("expired", "user: raid, memory: 512MiB, containers: 2, gather: 1s, patience: 5m")) {
      daemon.runJob("scan", PATIENCE);
      daemon.awaitState("/warehouse/expired", 4, FileState.RAIDED);
      assertThat(ids()).as("jobs that were tried").hasSizeGreaterThan(before.size());

      daemon.run(0, "settings", "--yes", "repair.engine=yarn");
      loseABlockOfEach(files.paths());
      daemon.runJob("loss-reports");
      Until.holds(
          () -> daemon.ask("fsck").exitCode() == 0,
          PATIENCE,
          () -> "all blocks to be back: " + daemon.ask("fsck") + daemon.ask("repairs"));

      assertThat(daemon.client().history("/warehouse/expired", Paging.first(100)).items())
          .extracting(HistoryEntry::detail)
          .noneMatch(detail -> detail.contains("in application_"));
      assertThat(hdfs.fileSystem().getCorruptBlocksCount())
          .as("replicas that were blamed for the refusals")
          .isZero();
      files.assertWhole();
    } finally {
      hdfs.expireBlockTokensAfter(Duration.ofHours(10));
    }
  }

  /** Kills a container that is not one of the given. */
  private static void killOne(String mainClass, List<ProcessHandle> butNot) throws Exception {
    Until.holds(
        () ->
            yarn.containers(mainClass).stream()
                .filter(process -> !butNot.contains(process))
                .anyMatch(ProcessHandle::destroyForcibly),
        () -> "a process of " + mainClass);
  }

  private static void assertEncodedInContainers(
      InProcessDaemon daemon, String directory, ColdFiles files) throws Exception {
    assertThat(daemon.client().status().transfers())
        .as("bytes that passed through the daemon")
        .noneMatch(transfer -> transfer.purpose().equals("raiding"));
    assertThat(daemon.ask("history", directory).out()).contains(" in application_");
    daemon.run(0, "fsck");
    files.assertWhole();
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

  @Test
  void killedContainersRunAgain() throws Exception {
    ColdFiles files = load("/warehouse/killed", 3);
    Set<ApplicationId> before = ids();
    try (InProcessDaemon daemon =
        start(
            "killed",
            "user: raid, memory: 512MiB, containers: 1, attempts: 3, bytesPerTask: 1MB, gather: 1s,"
                + " bytesPerSecond: 200kB")) {
      CompletableFuture<Void> scan = scan(daemon);
      Until.holds(() -> !yarn.containers(TASK).isEmpty(), () -> "a task");
      List<ProcessHandle> first = yarn.containers(TASK);
      killOne("org.apache.hadoop.mapreduce.v2.app.MRAppMaster", List.of());
      killOne(TASK, first);
      scan.join();
      daemon.awaitState("/warehouse/killed", 3, FileState.RAIDED);

      assertThat(applications())
          .filteredOn(each -> !before.contains(each.getApplicationId()))
          .singleElement()
          .satisfies(
              application ->
                  assertThat(application.getCurrentApplicationAttemptId().getAttemptId())
                      .isGreaterThanOrEqualTo(2));
      assertEncodedInContainers(daemon, "/warehouse/killed", files);
    }
  }

  @Test
  void jobsOutliveTheResourceManagerAndANodeManager() throws Exception {
    ColdFiles files = load("/warehouse/managers", 3);
    Set<ApplicationId> before = ids();
    try (InProcessDaemon daemon =
        start(
            "managers",
            "user: raid, memory: 512MiB, containers: 1, attempts: 3, bytesPerTask: 1MB, gather: 1s,"
                + " bytesPerSecond: 100kB, patience: 5m")) {
      CompletableFuture<Void> scan = scan(daemon);
      Until.holds(() -> !yarn.containers(TASK).isEmpty(), () -> "a task");
      yarn.killResourceManager();
      yarn.restartResourceManager();
      Until.holds(() -> nodeManagers() == NODE_MANAGERS, () -> "the NodeManagers to register anew");
      Until.holds(() -> !yarn.containers(TASK).isEmpty(), () -> "a task");
      yarn.killBusyNodeManager();
      scan.join();
      daemon.awaitState("/warehouse/managers", 3, FileState.RAIDED);

      Until.holds(
          () -> nodeManagers() == NODE_MANAGERS - 1, () -> "the killed NodeManager to be missed");
      assertThat(ids()).hasSize(before.size() + 1);
      assertEncodedInContainers(daemon, "/warehouse/managers", files);
    }
  }

  /** Writes settings with which the daemon encodes by itself and repairs in slow containers. */
  private static Path repairing(String folderName) throws IOException {
    return new QuietDaemon(folder.resolve(folderName).resolve("conf"))
        .with(
            """
            repair: {engine: yarn, delay: 0s, retryAfter: 1s}
            yarn: {user: raid, memory: 512MiB, containers: 1, gather: 1s, bytesPerSecond: 100kB}
            """);
  }

  /** Waits until a container has told the daemon of a rebuilt stripe. */
  private static void awaitRepairingTask(RaidNodeClient daemon) throws Exception {
    Until.holds(
        () ->
            daemon.status().containers().stream()
                .flatMap(containers -> containers.jobs().stream())
                .filter(job -> job.work().equals("repair"))
                .anyMatch(job -> job.sameNode() + job.sameRack() + job.offRack() > 0),
        () -> "a task that has sent what it has rebuilt");
  }

  @Test
  void repairsOfAKilledContainerAreMadeAgain() throws Exception {
    ColdFiles files = load("/warehouse/killed-repair", 4);
    Path settings = repairing("killed-repair");
    try (InProcessDaemon daemon = InProcessDaemon.start(settings, hdfs.uri(), conf)) {
      daemon.runJob("scan", PATIENCE);
      daemon.awaitState("/warehouse/killed-repair", 4, FileState.RAIDED);
      loseABlockOfEach(files.paths());
      daemon.runJob("loss-reports");
      awaitRepairingTask(daemon.client());
      List<ProcessHandle> first = yarn.containers(TASK);
      killOne(TASK, List.of());
      Until.holds(
          () -> yarn.containers(TASK).stream().anyMatch(task -> !first.contains(task)),
          () -> "another attempt");

      Until.holds(
          () -> daemon.ask("fsck").exitCode() == 0,
          PATIENCE,
          () -> "all blocks to be back: " + daemon.ask("fsck"));
      files.assertWhole();
      assertOneReplicaOfEachBlock(files.paths());
    }
  }

  @Test
  void repairsOfAKilledDaemonAreMadeByItsSuccessor() throws Exception {
    ColdFiles files = load("/warehouse/orphaned-repair", 4);
    Path settings = repairing("orphaned-repair");
    try (DaemonProcess daemon = DaemonProcess.start(settings, site())) {
      boolean dryRun = false;
      ChangePreview unused =
          daemon
              .client()
              .raid(
                  new RaidRequest(
                      "/warehouse/orphaned-repair", dryRun, Optional.empty(), Optional.empty()));
      Until.holds(
          () ->
              daemon
                      .client()
                      .files(
                          "/warehouse/orphaned-repair", Optional.of(FileState.RAIDED), Paging.FIRST)
                      .items()
                      .size()
                  == 4,
          daemon::output);
      loseABlockOfEach(files.paths());
      awaitRepairingTask(daemon.client());
      daemon.kill();
    }

    try (InProcessDaemon successor = InProcessDaemon.start(settings, hdfs.uri(), conf)) {
      Until.holds(
          () -> successor.ask("fsck").exitCode() == 0,
          PATIENCE,
          () -> "all blocks to be back: " + successor.ask("fsck"));
      files.assertWhole();
      assertOneReplicaOfEachBlock(files.paths());
      awaitCleanUp(successor);
    }
  }

  /** Waits until nothing is left of a killed daemon: its successor's jobs leave nothing. */
  private static void awaitCleanUp(InProcessDaemon successor) throws Exception {
    Until.holds(
        () -> {
          successor.runJob("clean-up");
          return hdfs.fileSystem().listStatus(new org.apache.hadoop.fs.Path("/.raid/tmp")).length
              == 0;
        },
        () -> "what the killed daemon has left to be removed");
  }

  /** DataNodes keep nothing of a repair that was cut off. */
  private static void assertOneReplicaOfEachBlock(Set<String> paths) throws Exception {
    for (String path : paths) {
      for (LocatedBlock block :
          hdfs.fileSystem().getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
        Until.holds(
            () -> hdfs.replicasOnDisk(block.getBlock().getBlockId()).size() == 1,
            () -> "one replica of %s of %s".formatted(block, path));
      }
    }
  }

  @Test
  void theJobOfAKilledDaemonIsEndedByItsSuccessor() throws Exception {
    ColdFiles files = load("/warehouse/orphan", 2);
    Path settings =
        new QuietDaemon(folder.resolve("orphan").resolve("conf"))
            .with(
                """
                raiding: {engine: yarn}
                yarn: {user: raid, memory: 512MiB, containers: 1, gather: 0s}
                """);
    Set<ApplicationId> before = ids();
    ApplicationId orphan;
    try (DaemonProcess daemon = DaemonProcess.start(settings, site())) {
      boolean dryRun = false;
      ChangePreview unused =
          daemon
              .client()
              .raid(
                  new RaidRequest("/warehouse/orphan", dryRun, Optional.empty(), Optional.empty()));
      Until.holds(() -> ids().size() > before.size(), daemon::output);
      daemon.kill();
      Set<ApplicationId> now = ids();
      now.removeAll(before);
      orphan = now.iterator().next();
    }

    try (InProcessDaemon successor = InProcessDaemon.start(settings, hdfs.uri(), conf)) {
      Until.holds(
          () -> report(orphan).getYarnApplicationState() == YarnApplicationState.KILLED,
          () -> "the end of " + orphan);
      successor.runJob("scan", PATIENCE);
      successor.awaitState("/warehouse/orphan", 2, FileState.RAIDED);
      successor.run(0, "fsck");
      files.assertWhole();

      awaitCleanUp(successor);
    }
  }

  @Test
  void theDoctorRunsATrialJob() throws Exception {
    Path settings =
        new QuietDaemon(folder.resolve("doctor").resolve("conf"))
            .with("yarn: {user: raid, queue: default, memory: 512MiB}%n".formatted());
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandSpec json =
        CommandSpec.create()
            .addOption(
                OptionSpec.builder("--json")
                    .type(boolean.class)
                    .scopeType(CommandLine.ScopeType.INHERIT)
                    .build());
    int exitCode =
        new CommandLine(json)
            .addSubcommand(new DoctorCommand(() -> conf))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute("doctor", "--conf", settings.toString(), "--trial-job");

    assertThat(out.toString())
        .as(err.toString())
        .containsPattern("OK      YARN: active NodeManagers: [23]; jobs run as raid")
        .contains("OK      YARN: queue: default is RUNNING")
        .containsPattern("OK      YARN: trial job: application_\\S+ read a block");
    assertThat(exitCode).as(out.toString()).isIn(0, 3);
    assertThat(hdfs.fileSystem().globStatus(new org.apache.hadoop.fs.Path("/hdfs-raid-trial-*")))
        .isEmpty();
  }

  @Test
  void whereYarnTakesNoJobTheDaemonEncodesAndSaysWhy() throws Exception {
    ColdFiles files = load("/warehouse/here", 2);
    try (InProcessDaemon daemon =
        start("here", "queue: nowhere, memory: 512MiB, gather: 0s, patience: 5m")) {
      daemon.runJob("scan", PATIENCE);
      daemon.awaitState("/warehouse/here", 2, FileState.RAIDED);

      assertThat(daemon.client().status().containers().orElseThrow().refusal().orElseThrow())
          .contains("nowhere");
      assertThat(daemon.ask("status").toString()).contains("The daemon works by itself until");
      assertThat(daemon.client().status().transfers())
          .anyMatch(transfer -> transfer.purpose().equals("raiding"));
      files.assertWhole();
    }
  }

  /** Returns a folder with the configuration of HDFS and YARN for another process. */
  private static Path site() throws IOException {
    Path site = Files.createDirectories(folder.resolve("site"));
    // Each file of Hadoop's overrides the ones before, also by its defaults.
    for (String file :
        List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml")) {
      try (OutputStream out = Files.newOutputStream(site.resolve(file))) {
        conf.writeXml(out);
      }
    }
    return site;
  }

  private static Set<ApplicationId> ids() throws Exception {
    return applications().stream()
        .map(ApplicationReport::getApplicationId)
        .collect(Collectors.toSet());
  }

  private static ApplicationReport report(ApplicationId id) throws Exception {
    return applications().stream()
        .filter(each -> each.getApplicationId().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static List<ApplicationReport> applications() throws Exception {
    try (YarnClient client = client()) {
      return client.getApplications();
    }
  }

  private static int nodeManagers() throws Exception {
    try (YarnClient client = client()) {
      return client.getNodeReports(NodeState.RUNNING).size();
    }
  }

  private static YarnClient client() {
    YarnClient client = YarnClient.createYarnClient();
    client.init(conf);
    client.start();
    return client;
  }
}
