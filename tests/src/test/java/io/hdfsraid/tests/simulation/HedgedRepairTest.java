package io.hdfsraid.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.rounds.RaidEvents;
import io.hdfsraid.raidnode.rounds.RoundSettings;
import io.hdfsraid.raidnode.rounds.Rounds;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rounds of a daemon repair around a DataNode that has stopped to send, where they are told to.
 */
class HedgedRepairTest {
  private static final int BLOCK = 64 << 10;
  private static final String FILE = "/file";

  @TempDir Path folder;

  private final SimulatedClock clock = new SimulatedClock();
  private final InMemoryCluster cluster = new InMemoryCluster(12, 6, 1);
  private final AtomicInteger faster = new AtomicInteger();
  private Catalog catalog;
  private Rounds rounds;

  @BeforeEach
  void start() throws IOException {
    catalog = Catalog.open(folder, clock);
    rounds =
        new Rounds(
            new SimulatedHdfs(cluster, Map.of(), clock, new Nobody()),
            catalog,
            new Policies(List.of(), List.of(), 0),
            RoundSettings.defaults(),
            new RaidEvents() {
              @Override
              public void hedged(boolean wasFaster) {
                faster.addAndGet(wasFaster ? 1 : 0);
              }
            },
            StepListener.NONE,
            clock);
  }

  @AfterEach
  void close() {
    cluster.allNodes().forEach(cluster::release);
    rounds.close();
    catalog.close();
  }

  private LocatedBlock block(int index) {
    return cluster.file(FILE).orElseThrow().blocks().get(index);
  }

  private void hedgeAfter(Duration wait) {
    Tuning now = rounds.tuning();
    rounds.apply(
        new Tuning(
            now.raiding(),
            now.repair(),
            now.urgentRepair(),
            now.moves(),
            now.scrub(),
            now.checksumsPerSecond(),
            now.streamsPerDataNode(),
            now.nameNodeCallsPerSecond(),
            wait));
  }

  @Test
  void aRepairEndsThoughAHelperNeverDoes() throws IOException {
    byte[] bytes = new byte[3 * BLOCK];
    new Random(1).nextBytes(bytes);
    long inode = cluster.createFile(FILE, BLOCK, bytes, 3);
    rounds.raid().raid(inode, new Protection("rs-3-2", 1, 1), "test");
    cluster.replicate();
    rounds.attend().attend(inode, "test");
    Block lost = block(0).block();
    cluster.deleteReplica(lost.id(), block(0).live().get(0).node());
    DataNode stuck = block(1).live().get(0).node();
    hedgeAfter(Duration.ofMillis(20));
    cluster.slow(stuck);

    rounds.integrity().check(inode);
    assertThat(rounds.repair().run()).isEqualTo(1);

    assertThat(faster).as("rows that other helpers had first").hasValue(1);
    assertThat(catalog.repairs().size()).isZero();
    assertThat(block(0).live()).hasSize(1);
    assertThat(cluster.contentOf(FILE)).isEqualTo(bytes);
  }
}
