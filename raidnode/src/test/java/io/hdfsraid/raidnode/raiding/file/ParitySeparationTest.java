// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.group.GroupOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Parity whose units have come to lie on one node between its commit and the reduction. */
class ParitySeparationTest {
  private final RaidBench bench = new RaidBench();

  @AfterEach
  void close() {
    bench.close();
  }

  /** Dies before it reduces. */
  private void commit(Executable raiding) {
    int[] passed = {0};
    bench.fence =
        () -> {
          if (passed[0]++ >= 1) {
            throw new IOException("deposed");
          }
        };
    assertThatThrownBy(raiding::execute).hasMessageContaining("deposed");
    bench.fence = () -> {};
  }

  private ParityFile parity(long id) throws IOException {
    return bench.cluster.find(id).orElseThrow();
  }

  private void crowd(long id) throws IOException {
    List<LocatedBlock> units = parity(id).file().blocks();
    DataNode shared = units.get(0).live().get(0).node();
    bench.cluster.place(units.get(1).block().id(), shared);
    bench.cluster.place(units.get(2).block().id(), shared);
  }

  /** The three parity units of the first stripe are on three nodes. */
  private void assertApart(long id) throws IOException {
    assertThat(parity(id).file().blocks().stream().limit(3).map(unit -> unit.live().get(0).node()))
        .doesNotHaveDuplicates();
  }

  @Test
  void committedParityIsMovedApartAndThenBuiltOn() throws IOException {
    commit(
        () ->
            bench
                .daemon(StepListener.NONE)
                .raider()
                .raid(bench.inode, RaidBench.RS, RaidProgress.NONE));
    crowd(bench.inode);

    RaidOutcome outcome = bench.daemon(StepListener.NONE).fileReconciler().reconcile(bench.inode);

    assertThat(outcome.state()).as(outcome.detail()).isEqualTo(FileState.REDUCED);
    assertApart(bench.inode);
    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(1);
  }

  /** Returns the id of a group whose parity is committed and whose members are not reduced. */
  private long committedGroup() throws IOException {
    List<Long> members = new ArrayList<>();
    Random random = new Random(5);
    for (int i = 0; i < 6; i++) {
      byte[] bytes = new byte[1_000 + 211 * i];
      random.nextBytes(bytes);
      members.add(bench.cluster.createFile("/small/f" + i, RaidBench.BLOCK, bytes, 3));
    }
    commit(
        () ->
            bench
                .daemon(StepListener.NONE)
                .groupRaider()
                .raid(members, RaidBench.RS, 10, RaidProgress.NONE));
    List<Long> ids = new ArrayList<>();
    bench.cluster.forEach(ids::add);
    assertThat(ids).hasSize(1);
    return ids.get(0);
  }

  @Test
  void soIsTheParityOfAGroup() throws IOException {
    long group = committedGroup();
    crowd(group);

    GroupOutcome outcome =
        bench.daemon(StepListener.NONE).groupReconciler().reconcile(new GroupId(group));

    assertThat(outcome.isAt(FileState.REDUCED)).as("%s", outcome).isTrue();
    assertApart(group);
  }

  @Test
  void norIsParityOfAGroupThatCannotBeParted() throws IOException {
    GroupId group = new GroupId(committedGroup());
    crowd(group.value());
    bench.refuseMoves = true;

    GroupOutcome outcome = bench.daemon(StepListener.NONE).groupReconciler().reconcile(group);

    assertThat(outcome.isAt(FileState.COMMITTED)).as("%s", outcome).isTrue();
    assertThat(outcome.members().values())
        .allSatisfy(member -> assertThat(member.reason()).contains(Reason.PARITY_CROWDED));
  }

  @Test
  void parityThatCannotBePartedIsNotBuiltOn() throws IOException {
    commit(
        () ->
            bench
                .daemon(StepListener.NONE)
                .raider()
                .raid(bench.inode, RaidBench.RS, RaidProgress.NONE));
    crowd(bench.inode);
    DataNode shared = parity(bench.inode).file().blocks().get(0).live().get(0).node();
    bench.refuseMoves = true;

    RaidOutcome outcome = bench.daemon(StepListener.NONE).fileReconciler().reconcile(bench.inode);

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.PARITY_CROWDED);
    assertThat(outcome.detail()).contains("lie on", shared.address());
    assertThat(bench.cluster.file(bench.inode).orElseThrow().replication()).isEqualTo(3);
  }
}
