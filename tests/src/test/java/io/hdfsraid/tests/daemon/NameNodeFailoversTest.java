// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three NameNodes with a quorum journal, which fail over at random moments while the daemon raids,
 * repairs and lets go. {@code -Dfailovers=100 -Dfailovers.seed=7} sets how often, and the moments.
 */
@Tag("full")
class NameNodeFailoversTest {
  private static final int FAILOVERS = Integer.getInteger("failovers", 10);
  private static final long SEED = Long.getLong("failovers.seed", 22);
  private static final int NAME_NODES = 3;
  private static final int NODES = 7;
  private static final int BLOCK = 64 << 10;
  private static final int FILES_EACH = 4;
  private static final int JOURNAL = 2;

  /** The longest time until work goes on after the NameNodes are back. */
  private static final Duration STUCK = Duration.ofSeconds(60);

  /**
   * The longest time until excess replicas are freed: after a failover the NameNode waits for full
   * block reports, for which the daemon asks one DataNode after another once they are late.
   */
  private static final Duration FREED = Duration.ofMinutes(10);

  /** How long all NameNodes are away, with {@code -Daway=PT10M} for ten minutes. */
  private static final Duration AWAY = Duration.parse(System.getProperty("away", "PT5S"));

  @TempDir private Path folder;

  private final Random random = new Random(SEED);
  private final List<ColdFiles> written = new ArrayList<>();
  private ProcessHdfs hdfs;
  private DaemonProcess daemon;
  private RaidNodeClient client;
  private int active;

  @BeforeEach
  void start() throws Exception {
    hdfs =
        ProcessHdfs.builder()
            .nameNodes(NAME_NODES)
            .dataNodes(NODES)
            .blockSize(BLOCK)
            .heapMegabytes(96)
            .staleAfter(Duration.ofSeconds(5))
            .deadAfter(Duration.ofSeconds(12))
            .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK)
            .start();
    Path conf =
        new QuietDaemon(folder.resolve("conf"))
            .busyWith(
                """
                raiding: {quarantine: 0s, maxUnaudited: 100000}
                repair: {delay: 0s, retryAfter: 1s}
                placement: {triggerBlockReports: paced}
                """);
    daemon = DaemonProcess.start(conf, hdfs.confDirectory());
    client = daemon.client();
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

  private void write(String top) throws IOException {
    written.add(ColdFiles.write(hdfs.fileSystem(), top, FILES_EACH, BLOCK, FILES_EACH + 2));
  }

  private int files() {
    return written.size() * FILES_EACH;
  }

  /** Ends the turn of the active NameNode: orderly, or by killing its process. */
  private void failOver(boolean orderly) throws IOException {
    int next = (active + 1 + random.nextInt(NAME_NODES - 1)) % NAME_NODES;
    if (orderly) {
      hdfs.standBy(active);
      hdfs.activate(next);
    } else {
      hdfs.killNameNode(active);
      hdfs.activate(next);
      hdfs.launchNameNode(active);
    }
    active = next;
  }

  private int in(FileState state) throws IOException {
    return client.files("/warehouse", Optional.of(state), Paging.first(1000)).items().size();
  }

  /** Returns how many seconds it took. */
  private double await(String what, Duration longest, Until.Condition condition) throws Exception {
    long begin = System.nanoTime();
    Until.holds(() -> answers(condition), longest, () -> what + ": " + daemon.output());
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf("%s: %.1f s%n", what, seconds);
    return seconds;
  }

  /** Returns whether it holds; not while the daemon cannot answer, because of its NameNode. */
  private static boolean answers(Until.Condition condition) throws Exception {
    try {
      return condition.holds();
    } catch (RaidNodeException e) {
      return false;
    }
  }

  private boolean isHealthy() throws IOException {
    return client.fsck("/warehouse", Paging.FIRST).summary().worst() == HealthState.HEALTHY;
  }

  @Test
  void nothingIsLostAndNothingIsStuck() throws Exception {
    hdfs.killJournal(JOURNAL); // the other two are a quorum
    for (int i = 0; i < FAILOVERS; i++) {
      write("/warehouse/round" + i);
      hdfs.fileSystem().create(new org.apache.hadoop.fs.Path("/created/file" + i)).close();
      int raided = i * FILES_EACH + random.nextInt(FILES_EACH);
      await("round " + i, STUCK, () -> in(FileState.REDUCED) + in(FileState.RAIDED) >= raided);
      failOver(i % 2 == 0);
    }
    await("reduced", STUCK, () -> in(FileState.REDUCED) + in(FileState.RAIDED) == files());
    await("freed", FREED, () -> in(FileState.RAIDED) == files());
    await("known", STUCK, () -> client.histogram("/created").total().files() == FAILOVERS);
    hdfs.launchJournal(JOURNAL);

    hdfs.killDataNode(0);
    await("losses seen", Until.LONGEST, () -> !isHealthy());
    failOver(false);
    await("repaired", Until.LONGEST, this::isHealthy);
    hdfs.restartDataNode(0);

    int kept = files() - FILES_EACH;
    assertThat(client.unraid(new UnraidRequest("/warehouse/round0", false)).outcome().name())
        .isEqualTo("ACCEPTED");
    failOver(true);
    await("replicated", STUCK, () -> in(FileState.RAIDED) == kept && areReplicated());

    long gone = System.nanoTime();
    for (int i = 0; i < NAME_NODES; i++) {
      hdfs.killNameNode(i);
    }
    await(
        "away",
        AWAY.plus(Until.LONGEST),
        () ->
            client.status().problems().toString().contains("NAMENODE_AWAY")
                && System.nanoTime() - gone >= AWAY.toNanos());
    for (int i = 0; i < NAME_NODES; i++) {
      hdfs.launchNameNode(i);
    }
    hdfs.activate(active);
    hdfs.waitActive();
    write("/warehouse/afterwards");
    await(
        "goes on", STUCK, () -> in(FileState.REDUCED) + in(FileState.RAIDED) == kept + FILES_EACH);
    await("freed again", FREED, () -> in(FileState.RAIDED) == kept + FILES_EACH);
    // Their replicas count once the NameNode has got block reports, as excess ones do.
    await("let go", FREED, () -> in(FileState.LEFT) == FILES_EACH);
    await("healthy", STUCK, this::isHealthy);
    for (ColdFiles each : written) {
      each.assertWhole();
    }
  }

  /** Returns whether each block of the files that were let go has three replicas. */
  private boolean areReplicated() throws IOException {
    for (String path : written.get(0).paths()) {
      boolean all =
          hdfs
              .fileSystem()
              .getClient()
              .getLocatedBlocks(path, 0, Long.MAX_VALUE)
              .getLocatedBlocks()
              .stream()
              .allMatch(block -> block.getLocations().length == 3);
      if (!all) {
        return false;
      }
    }
    return true;
  }
}
