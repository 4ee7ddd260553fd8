// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Troubles of a NameNode besides being away: it is in safe mode, started from an old checkpoint, or
 * one of several that has to catch up. Each part is a process of its own.
 */
@Tag("full")
class NameNodeTroubleTest {
  private static final int NODES = 7;
  private static final int BLOCK = 64 << 10;
  private static final int FILES_EACH = 4;
  private static final int SMALL = 6;
  private static final int MOST_BLOCKS = FILES_EACH + 2;
  private static final String OWNER = "/.raid/owner";

  /** The longest time until work goes on after the trouble is over. */
  private static final Duration STUCK = Duration.ofSeconds(60);

  /** The longest time until excess replicas are freed after a failover. */
  private static final Duration FREED = Duration.ofMinutes(10);

  @TempDir private Path folder;

  private ProcessHdfs hdfs;
  private DaemonProcess daemon;

  private void start(int nameNodes, String quarantine) throws Exception {
    hdfs =
        ProcessHdfs.builder()
            .nameNodes(nameNodes)
            .dataNodes(NODES)
            .blockSize(BLOCK)
            .heapMegabytes(96)
            .staleAfter(Duration.ofSeconds(5))
            .deadAfter(Duration.ofSeconds(12))
            .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK)
            .start();
    new QuietDaemon(folder.resolve("conf"))
        .busyWith(
            """
            raiding: {quarantine: %s, maxUnaudited: 100000}
            repair: {delay: 0s, retryAfter: 1s}
            placement: {triggerBlockReports: paced}
            """
                .formatted(quarantine));
    startDaemon();
  }

  private void startDaemon() throws Exception {
    daemon = DaemonProcess.start(folder.resolve("conf"), hdfs.confDirectory());
  }

  @AfterEach
  void stop() throws IOException {
    if (daemon != null) {
      daemon.kill();
    }
    if (hdfs != null) {
      hdfs.close();
    }
  }

  private ColdFiles write(String top) throws IOException {
    return ColdFiles.write(hdfs.fileSystem(), top, FILES_EACH, BLOCK, MOST_BLOCKS);
  }

  private void create(String path) throws IOException {
    hdfs.fileSystem().create(new org.apache.hadoop.fs.Path(path)).close();
  }

  private void delete(String path) throws IOException {
    assertThat(hdfs.fileSystem().delete(new org.apache.hadoop.fs.Path(path), false)).isTrue();
  }

  private List<FileSummary> files(String below) throws IOException {
    return daemon.client().files(below, Optional.empty(), Paging.first(1000)).items();
  }

  private long in(String below, FileState... states) throws IOException {
    Set<FileState> wanted = Set.of(states);
    return files(below).stream().filter(file -> wanted.contains(file.state())).count();
  }

  private long reduced(String below) throws IOException {
    return in(below, FileState.REDUCED, FileState.RAIDED);
  }

  private boolean isHealthy(String below) throws IOException {
    return daemon.client().fsck(below, Paging.FIRST).summary().worst() == HealthState.HEALTHY;
  }

  private List<HistoryEntry> history() throws IOException {
    return daemon.client().history("/", Paging.first(Paging.MAX_LIMIT)).items();
  }

  private List<Problem> problems() throws IOException {
    return daemon.client().status().problems();
  }

  private static Set<String> paths(List<FileSummary> files) {
    return files.stream().map(FileSummary::path).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> paths(ColdFiles... files) {
    return Stream.of(files)
        .flatMap(each -> each.paths().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Waits, and prints for how long. */
  private void await(String what, Duration longest, Until.Condition condition) throws Exception {
    long begin = System.nanoTime();
    Until.holds(() -> answers(condition), longest, () -> what + ": " + seen());
    System.out.printf("%s: %.1f s%n", what, (System.nanoTime() - begin) / 1e9);
  }

  /** Returns whether it holds; not while the daemon cannot answer, because of its NameNode. */
  private static boolean answers(Until.Condition condition) throws Exception {
    try {
      return condition.holds();
    } catch (RaidNodeException e) {
      return false;
    }
  }

  private String seen() {
    try {
      return "%s%n%s%n%s%n%s".formatted(files("/"), problems(), history(), daemon.output());
    } catch (IOException e) {
      return e + "\n" + daemon.output();
    }
  }

  private List<String> errors() {
    return daemon.output().lines().filter(line -> line.startsWith("ERROR")).toList();
  }

  private long epoch() throws IOException {
    byte[] epoch =
        hdfs.fileSystem().getXAttr(new org.apache.hadoop.fs.Path(OWNER), "user.raid.owner.epoch");
    return Long.parseLong(new String(epoch, StandardCharsets.UTF_8));
  }

  @Test
  void inSafeModeEverythingWaitsAndThenGoesOn() throws Exception {
    start(1, "0s");
    ColdFiles first = write("/warehouse/first");
    await("raided", STUCK, () -> in("/warehouse/first", FileState.RAIDED) == FILES_EACH);
    ColdFiles second = write("/warehouse/second");
    await("begun", STUCK, () -> reduced("/warehouse/second") > 0);
    long epoch = epoch();
    long inode = hdfs.fileSystem().getClient().getFileInfo(OWNER).getFileId();

    assertThat(hdfs.fileSystem().setSafeMode(SafeModeAction.ENTER)).isTrue();
    await(
        "said",
        STUCK,
        () ->
            problems().stream()
                .anyMatch(
                    problem ->
                        problem.code().equals("NAMENODE_AWAY")
                            && problem.message().contains("it is in safe mode")));
    hdfs.killDataNode(0); // while nothing is raided, or that would be tried again much later
    await(
        "dead",
        STUCK,
        () -> hdfs.fileSystem().getDataNodeStats(DatanodeReportType.DEAD).length == 1);
    assertThat(hdfs.fileSystem().setSafeMode(SafeModeAction.LEAVE)).isFalse();

    await("all raided", STUCK, () -> reduced("/warehouse") == 2 * FILES_EACH);
    await("repaired", STUCK, () -> isHealthy("/warehouse"));
    await("calm", STUCK, () -> problems().isEmpty() && in("/", FileState.RAIDED) == 2 * FILES_EACH);
    assertThat(errors()).as(daemon.output()).isEmpty();
    assertThat(daemon.starts()).isEqualTo(1);
    assertThat(daemon.standbys()).isZero();
    assertThat(daemon.client().status().owner().state()).isEqualTo(Status.Owner.State.HELD);
    assertThat(epoch()).isEqualTo(epoch);
    assertThat(hdfs.fileSystem().getClient().getFileInfo(OWNER).getFileId()).isEqualTo(inode);
    first.assertWhole();
    second.assertWhole();
  }

  /** The fate of the daemon between the checkpoint and the NameNode that is started from it. */
  private enum Meanwhile {
    /** It works on all the time. */
    LIVES,
    /** It is killed and started again, so that the checkpoint knows only the former owner. */
    IS_REPLACED,
    /** It is killed with the NameNode, and started when that is back. */
    DIES
  }

  /**
   * The worst that HDFS lets an administrator do: it refuses to leave safe mode by itself then, for
   * it finds blocks that are newer than the checkpoint. It gives their ids to new blocks, so the
   * DataNodes have to delete them first, which takes another full block report.
   *
   * @param quarantine with 0s, the parity of what was let go is deleted for good
   */
  @ParameterizedTest(name = "the daemon {0}, quarantine {1}")
  @CsvSource({"LIVES, 0s", "LIVES, 1d", "IS_REPLACED, 0s", "DIES, 0s"})
  void afterTheNamespaceWasSetBackAllIsComparedWithIt(Meanwhile meanwhile, String quarantine)
      throws Exception {
    start(1, quarantine);
    DistributedFileSystem fs = hdfs.fileSystem();
    ColdFiles before = write("/warehouse/before");
    ColdFiles later = write("/archive/later"); // these are raided later
    ColdFiles small = ColdFiles.writeSmall(fs, "/archive/small", SMALL, BLOCK);
    create("/plain/deleted");
    await("raided", STUCK, () -> in("/warehouse", FileState.RAIDED) == FILES_EACH);
    await("known", STUCK, () -> daemon.client().histogram("/plain").total().files() == 1);
    Path checkpoint = checkpoint();

    if (meanwhile == Meanwhile.IS_REPLACED) {
      daemon.kill();
      startDaemon();
    }
    delete("/plain/deleted");
    create("/plain/created");
    create("/plain/shortlived");
    delete("/plain/shortlived");
    ColdFiles lost = write("/warehouse/lost");
    archiveIsTaken(true);
    await("raided after it", STUCK, () -> in("/", FileState.RAIDED) == 3 * FILES_EACH + SMALL);
    String letGo = before.paths().iterator().next();
    letGo(letGo, quarantine);
    await("deleted", STUCK, () -> fs.getPendingDeletionBlocksCount() == 0);
    archiveIsTaken(false);
    List<Long> lostBlocks = blocks(lost.paths());

    if (meanwhile == Meanwhile.DIES) {
      daemon.kill();
    }
    hdfs.killNameNode();
    hdfs.putBack(0, checkpoint);
    hdfs.launchNameNode(0);
    await("newer blocks", STUCK, this::isSetBackKnownToHdfs);
    if (meanwhile == Meanwhile.LIVES) {
      await("waits", STUCK, () -> problems().toString().contains("safe mode"));
    }
    assertThat(fs.setSafeMode(SafeModeAction.FORCE_EXIT)).isFalse();
    hdfs.waitActive();
    if (meanwhile == Meanwhile.DIES) {
      startDaemon();
    }
    await(
        "noticed",
        STUCK,
        () -> history().stream().anyMatch(line -> line.event().equals("namespace-set-back")));
    hdfs.triggerBlockReports();
    await("ids are free", STUCK, () -> onDisks(lostBlocks) == 0);
    ColdFiles fresh = write("/warehouse/fresh"); // gets the ids of files that were lost
    assertThat(problems()).extracting(Problem::code).contains("NAMESPACE_SET_BACK");
    for (String path : paths(later, small)) {
      await("protected", STUCK, () -> fewestReplicas(path) == 3);
    }
    assertThat(in("/archive", FileState.LEFT)).isEqualTo(FILES_EACH + SMALL);

    archiveIsTaken(true);
    await(
        "policies pause",
        STUCK,
        () -> in("/warehouse/fresh", FileState.LEFT, FileState.CANDIDATE) == FILES_EACH);
    assertThat(daemon.client().pause(new PauseRequest(false, false)).outcome().name())
        .isEqualTo("DONE");
    Set<String> raided = paths(before, fresh, later, small);
    assertThat(blocks(fresh.paths())).as("reused").containsAnyElementsOf(lostBlocks);
    await("raided again", STUCK, () -> reduced("/archive") == FILES_EACH + SMALL);
    await("known again", STUCK, () -> paths(files("/")).containsAll(raided));
    await(
        "settled",
        FREED,
        () -> in("/", FileState.RAIDED) + in("/", FileState.LEFT) == files("/").size());
    await("healthy", Until.LONGEST, () -> isHealthy("/"));

    assertStates(raided, letGo);
    assertThat(daemon.client().histogram("/plain").total().files()).isEqualTo(1);
    assertThat(paths(files("/plain"))).containsExactly("/plain/deleted");
    assertThat(fs.exists(new org.apache.hadoop.fs.Path("/warehouse/lost"))).isFalse();
    for (ColdFiles each : List.of(before, later, small, fresh)) {
      each.assertWhole();
    }
    assertThat(errors()).allMatch(line -> line.contains("was set back to an earlier state"));
    assertThat(daemon.starts()).isEqualTo(meanwhile == Meanwhile.DIES ? 1 : 2);
  }

  private List<Long> blocks(Set<String> paths) throws IOException {
    List<Long> blocks = new ArrayList<>();
    for (String path : paths) {
      located(path).forEach(block -> blocks.add(block.getBlock().getBlockId()));
    }
    return blocks;
  }

  private int onDisks(List<Long> blocks) throws IOException {
    int found = 0;
    for (long block : blocks) {
      found += hdfs.replicasOnDisks(block);
    }
    return found;
  }

  /** Saves the namespace, and returns a copy of what a NameNode starts from. */
  private Path checkpoint() throws IOException {
    DistributedFileSystem fs = hdfs.fileSystem();
    assertThat(fs.setSafeMode(SafeModeAction.ENTER)).isTrue();
    fs.saveNamespace();
    Path copy = hdfs.copyNamespace(0);
    assertThat(fs.setSafeMode(SafeModeAction.LEAVE)).isFalse();
    return copy;
  }

  /** Changes the policies in force, which are read again within a second. */
  private void archiveIsTaken(boolean taken) throws IOException {
    Path policies = daemon.conf().resolve("policies.yml");
    Files.writeString(
        policies,
        Files.readString(policies)
            .replaceFirst(
                "\\[.*?]", taken ? "[\"/warehouse/**\", \"/archive/**\"]" : "[\"/warehouse/**\"]"));
  }

  private void letGo(String path, String quarantine) throws Exception {
    assertThat(daemon.client().unraid(new UnraidRequest(path, false)).outcome().name())
        .isEqualTo("ACCEPTED");
    await("let go", STUCK, () -> in(path, FileState.LEFT) == 1);
    if (quarantine.equals("0s")) {
      await("in quarantine", STUCK, () -> quarantined(path) == 1);
      assertThat(daemon.client().purge(new QuarantineRequest(path, false)).outcome().name())
          .isEqualTo("ACCEPTED");
      await("purged", STUCK, () -> quarantined(path) == 0);
    }
  }

  private int quarantined(String path) throws IOException {
    return daemon.client().quarantine(path, Paging.FIRST).items().size();
  }

  private boolean isSetBackKnownToHdfs() throws IOException {
    DistributedFileSystem fs = hdfs.fileSystem();
    try {
      // The first report of a DataNode deletes nothing.
      return Arrays.stream(fs.getDataNodeStats(DatanodeReportType.LIVE))
                  .filter(node -> node.getLastBlockReportTime() > 0)
                  .count()
              == NODES
          && fs.getBytesWithFutureGenerationStamps() > 0;
    } catch (IOException e) {
      return false; // the connection is that to the NameNode killed before
    }
  }

  /** Each file has the replicas that its state says. */
  private void assertStates(Set<String> raided, String letGo) throws IOException {
    Map<String, String> seen = new TreeMap<>();
    for (FileSummary file : files("/")) {
      int replicas = fewestReplicas(file.path());
      seen.put(
          file.path(),
          "%s %d".formatted(file.state(), file.state() == FileState.RAIDED ? replicas : 0));
      if (file.state() == FileState.LEFT && file.length() > 0) {
        assertThat(replicas).as(file.toString()).isEqualTo(3);
      }
    }
    System.out.println(seen);
    for (String path : raided) {
      if (!path.equals(letGo)) {
        assertThat(seen).containsEntry(path, "RAIDED 1");
      }
    }
    assertThat(seen.keySet())
        .filteredOn(path -> path.startsWith("/warehouse") || path.startsWith("/archive"))
        .containsExactlyInAnyOrderElementsOf(raided);
  }

  private int fewestReplicas(String path) throws IOException {
    return located(path).stream().mapToInt(block -> block.getLocations().length).min().orElse(0);
  }

  /** Asks in a way that does not count as an access. */
  private List<LocatedBlock> located(String path) throws IOException {
    boolean needBlockToken = false;
    return hdfs.fileSystem()
        .getClient()
        .getLocatedFileInfo(path, needBlockToken)
        .getLocatedBlocks()
        .getLocatedBlocks();
  }

  @Test
  void aStandbyThatStartsFromAnOldCheckpointCatchesUpBeforeItIsActive() throws Exception {
    start(3, "0s");
    int stale = 2;
    hdfs.killNameNode(stale);
    Path old = hdfs.copyNamespace(stale);
    hdfs.launchNameNode(stale);
    ColdFiles first = write("/warehouse/first");
    await("raided", STUCK, () -> in("/warehouse", FileState.RAIDED) == FILES_EACH);
    for (int i = 0; i < FILES_EACH; i++) {
      create("/created/file" + i);
    }

    hdfs.killNameNode(stale);
    hdfs.putBack(stale, old);
    ColdFiles second = write("/warehouse/second");
    await("begun", STUCK, () -> reduced("/warehouse/second") > 0);
    hdfs.launchNameNode(stale);
    hdfs.standBy(0);
    hdfs.activate(stale);
    create("/created/last");

    await("all raided", STUCK, () -> reduced("/warehouse") == 2 * FILES_EACH);
    ColdFiles third = write("/warehouse/third");
    await("goes on", STUCK, () -> reduced("/warehouse") == 3 * FILES_EACH);
    await(
        "known",
        STUCK,
        () -> daemon.client().histogram("/created").total().files() == FILES_EACH + 1);
    await("freed", FREED, () -> in("/warehouse", FileState.RAIDED) == 3 * FILES_EACH);
    await("healthy", STUCK, () -> isHealthy("/warehouse"));
    assertThat(history())
        .as("it is the same history")
        .noneMatch(line -> line.event().equals("namespace-set-back"));
    assertThat(daemon.starts()).isEqualTo(1);
    for (ColdFiles each : List.of(first, second, third)) {
      each.assertWhole();
    }
  }
}
