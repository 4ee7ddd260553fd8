// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.Pipelines;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which blocks of an old group the parity of a file that was raided since protects. */
class BlockCoverTest {
  private static final GroupId GROUP = GroupId.fresh(new Random(3));

  private final RaidBench bench = new RaidBench();
  private ParityFile parity;

  @BeforeEach
  void raid() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    RaidOutcome unused = daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    for (int i = 0; i < 6; i++) {
      unused = daemon.fileReconciler().reconcile(bench.inode);
      bench.cluster.replicate();
    }
    parity = bench.cluster.find(bench.inode).orElseThrow();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** As the old group sees it, whose parity would record the same blocks. */
  private BlockCover cover() {
    return new BlockCover(bench.access(bench.cluster), bench.memberships, parity, GROUP.value());
  }

  private List<Block> blocks() {
    return bench.cluster.file(bench.inode).map(LocatedFile::contents).orElseThrow();
  }

  @Test
  void parityOfItsOwnUnderWhichReplicationWasLoweredProtectsABlock() throws IOException {
    for (Block block : blocks()) {
      assertThat(cover().covers(bench.inode, block)).isTrue();
    }
    assertThat(cover().lacking(3)).isEmpty();
    assertThat(
            new BlockCover(bench.access(bench.cluster), bench.memberships, parity, bench.inode)
                .lacking(3))
        .as("no parity replaces itself")
        .hasSize(7);
  }

  /** Else a group would go to quarantine with the only parity of what was appended. */
  @Test
  void parityOfBlocksThatTheFileHadBeforeAnAppendDoesNotProtectWhatWasAppended()
      throws IOException {
    bench.cluster.append(RaidBench.PATH, new byte[2 * RaidBench.BLOCK]);
    List<Block> blocks = blocks();
    assertThat(cover().covers(bench.inode, blocks.get(0))).isTrue();
    assertThat(cover().covers(bench.inode, blocks.get(6))).as("was appended to").isFalse();
    assertThat(cover().covers(bench.inode, blocks.get(7))).isFalse();
  }

  @Test
  void parityThatIsCommittedOnlyOrBeingUnraidedProtectsNothing() throws IOException {
    bench.cluster.mark(bench.inode, ParityPhase.UNRAIDING);
    assertThat(cover().covers(bench.inode, blocks().get(0))).isFalse();
    bench.cluster.mark(bench.inode, ParityPhase.COMMITTED);
    assertThat(cover().covers(bench.inode, blocks().get(0))).isFalse();
  }

  /** After a concat the block is in another file, which was raided since. */
  @Test
  void parityOfTheFileThatABlockWasMovedIntoProtectsIt() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    byte[] bytes = new byte[6 * RaidBench.BLOCK];
    new Random(3).nextBytes(bytes);
    long target = bench.cluster.createFile("/warehouse/all", RaidBench.BLOCK, bytes, 3);
    bench.cluster.concat("/warehouse/all", RaidBench.PATH);
    for (int i = 0; i < 3; i++) {
      RaidOutcome kept = daemon.fileReconciler().reconcile(bench.inode);
      assertThat(kept.parity()).as("its blocks have one replica").isPresent();
    }
    bench.cluster.setReplication(target, 3);
    bench.cluster.replicate();
    RaidOutcome raided = daemon.raider().raid(target, RaidBench.RS, RaidProgress.NONE);
    for (int i = 0; i < 6; i++) {
      raided = daemon.fileReconciler().reconcile(target);
      bench.cluster.replicate();
    }
    assertThat(raided.reason()).isEmpty();
    assertThat(bench.cluster.file(target).orElseThrow().replication()).isEqualTo(1);

    RaidOutcome unused = daemon.fileReconciler().reconcile(bench.inode);

    assertThat(bench.cluster.find(bench.inode)).as("released").isEmpty();
  }
}
