// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.journal.RaidEvents;
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

/** What repairs meet on the way, with all jobs on a cluster in memory. */
class RepairsTest {
  private static final int BLOCK = 64 << 10;
  private static final String FILE = "/file";

  @TempDir Path folder;

  private final SimulatedClock clock = new SimulatedClock();
  private final InMemoryCluster cluster = new InMemoryCluster(12, 6, 1);
  private final AtomicInteger faster = new AtomicInteger();
  private Catalog catalog;
  private JobWiring jobs;

  @BeforeEach
  void start() throws IOException {
    catalog = Catalog.open(folder, clock);
    jobs =
        JobWiring.of(
            new SimulatedHdfs(cluster, Map.of(), clock, new Nobody()),
            catalog,
            new Policies(List.of(), List.of(), 0),
            JobSettings.defaults(),
            JobListeners.of(
                new RaidEvents() {
                  @Override
                  public void hedged(boolean wasFaster) {
                    faster.addAndGet(wasFaster ? 1 : 0);
                  }
                }),
            clock);
  }

  @AfterEach
  void close() {
    cluster.allNodes().forEach(cluster::release);
    jobs.close();
    catalog.close();
  }

  private LocatedBlock block(int index) {
    return cluster.file(FILE).orElseThrow().blocks().get(index);
  }

  private void hedgeAfter(Duration wait) {
    Tuning now = jobs.tuning().now();
    jobs.tuning()
        .apply(
            new Tuning(
                now.raiding(),
                now.repair(),
                now.urgentRepair(),
                now.moves(),
                now.scrub(),
                now.checksumsPerSecond(),
                now.streamsPerDataNode(),
                now.nameNodeCallsPerSecond(),
                wait,
                Tuning.Containers.NONE));
  }

  private long raided(byte[] bytes) throws IOException {
    new Random(1).nextBytes(bytes);
    long inode = cluster.createFile(FILE, BLOCK, bytes, 3);
    jobs.select().raider().raid(inode, new Protection("rs-3-2", 1, 1), "test");
    cluster.replicate();
    jobs.upkeep().reconciler().reconcile(inode, "test");
    return inode;
  }

  private void lose(int index) {
    cluster.deleteReplica(block(index).block().id(), block(index).live().get(0).node());
  }

  /** A DataNode answers questions about a rotten replica as about any other. */
  @Test
  void whatReadingHasShownToBeLostIsNotCalledRecoverableByWhoOnlyAsks() throws IOException {
    long inode = raided(new byte[3 * BLOCK]);
    lose(0);
    lose(1);
    cluster.corrupt(block(2).block().id(), block(2).live().get(0).node());
    assertThat(jobs.detection().stripes().check(inode).get(0).furtherLosses()).isZero();

    jobs.repair().job().runAtRisk();

    assertThat(jobs.detection().stripes().check(inode))
        .allSatisfy(
            health -> assertThat(health.state()).isEqualTo(StripeHealth.State.UNRECOVERABLE));
    assertThat(catalog.repairs().count(RepairStatus.UNRECOVERABLE)).isEqualTo(1);
  }

  @Test
  void aRepairEndsThoughAHelperNeverDoes() throws IOException {
    byte[] bytes = new byte[3 * BLOCK];
    long inode = raided(bytes);
    lose(0);
    DataNode stuck = block(1).live().get(0).node();
    hedgeAfter(Duration.ofMillis(20));
    cluster.slow(stuck);

    jobs.detection().stripes().check(inode);
    assertThat(jobs.repair().job().run()).isEqualTo(1);

    assertThat(faster).as("rows that other helpers had first").hasValue(1);
    assertThat(catalog.repairs().size()).isZero();
    assertThat(block(0).live()).hasSize(1);
    assertThat(cluster.contentOf(FILE)).isEqualTo(bytes);
  }
}
