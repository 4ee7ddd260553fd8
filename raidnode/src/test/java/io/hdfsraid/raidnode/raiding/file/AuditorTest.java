// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Audits of a file of three stripes, parts of which keep replicas that are excess to us. */
class AuditorTest {
  private final RaidBench bench = new RaidBench();
  private Action whenMoved = () -> {};
  private final Pipelines daemon =
      bench.daemon(
          (step, subject) -> {
            if (step == MoveStep.SETTLED) {
              try {
                whenMoved.run();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          });
  private long inode;

  private interface Action {
    void run() throws IOException;
  }

  @BeforeEach
  void raidAFile() throws IOException {
    byte[] content = new byte[18 * RaidBench.BLOCK];
    new Random(3).nextBytes(content);
    inode = bench.cluster.createFile("/warehouse/wide", RaidBench.BLOCK, content, 3);
    daemon.raider().raid(inode, RaidBench.RS, RaidProgress.NONE);
    assertThat(reconcile().state()).isEqualTo(FileState.RAIDED);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private RaidOutcome reconcile() throws IOException {
    return daemon.fileReconciler().reconcile(inode);
  }

  private List<Long> stripe(int index) throws IOException {
    ParityFile parity = bench.cluster.find(inode).orElseThrow();
    Stripe stripe = parity.manifest().stripes().get(index);
    return stripe.data().stream().map(unit -> unit.block().id()).toList();
  }

  private DataNode nodeOf(long block) {
    return bench.cluster.holders(block).iterator().next();
  }

  /** Two more replicas, on nodes of other blocks of the stripe. */
  private void giveExcess(long block, List<Long> others) {
    bench.cluster.place(
        block, nodeOf(block), nodeOf(others.get(others.size() - 1)), nodeOf(others.get(3)));
  }

  private void share(long block, long with) {
    bench.cluster.place(block, nodeOf(with));
  }

  private void assertApart(List<Long> blocks) {
    assertThat(blocks.stream().map(this::nodeOf)).doesNotHaveDuplicates();
  }

  @Test
  void aStripeThatWaitsForItsExcessReplicasHoldsUpNoOther() throws IOException {
    giveExcess(stripe(0).get(0), stripe(0));
    share(stripe(2).get(1), stripe(2).get(0));

    RaidOutcome outcome = reconcile();

    assertThat(outcome.state()).isEqualTo(FileState.REDUCED);
    assertThat(outcome.reason()).isEmpty();
    assertThat(outcome.detail()).contains("1 units still have excess replicas");
    assertThat(outcome.unitsMoved()).isPositive();
    assertApart(stripe(2));
    assertThat(daemon.unaudited().total()).as("stripes that wait").isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void excessReplicasAreNamedUntilTheyAreGone(int stale) throws IOException {
    bench.staleReplicas = stale;
    long block = stripe(0).get(0);
    giveExcess(block, stripe(0));
    Set<DataNode> holders = Set.copyOf(bench.cluster.holders(block));

    RaidOutcome outcome = reconcile();

    ExcessReplicas seen = daemon.unaudited().excess().orElseThrow();
    assertThat(seen)
        .isEqualTo(new ExcessReplicas(bench.startedAt, 1, 2 * RaidBench.BLOCK, stale > 0, holders));
    assertThat(outcome.detail().contains("no full block report")).isEqualTo(stale > 0);

    bench.cluster.replicate();
    assertThat(reconcile().state()).isEqualTo(FileState.RAIDED);
    assertThat(daemon.unaudited().excess()).isEmpty();
  }

  @Test
  void whatASnapshotHoldsDoesNotKeepTheOthersFromBeingSpread() throws IOException {
    List<Long> mixed = stripe(0);
    giveExcess(mixed.get(0), mixed);
    bench.held.put(mixed.get(0), 3);
    share(mixed.get(2), mixed.get(1));
    share(stripe(2).get(1), stripe(2).get(0));

    RaidOutcome outcome = reconcile();

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.HELD_BY_SNAPSHOT);
    assertApart(mixed.subList(1, mixed.size()));
    assertApart(stripe(2));
    assertThat(bench.cluster.holders(mixed.get(0))).hasSize(3);
    assertThat(daemon.unaudited().total()).isZero();
  }

  @Test
  void aFileIsHeldOnlyWhenAllThatHasExcessReplicasIs() throws IOException {
    List<Long> held = stripe(0);
    List<Long> waits = stripe(1);
    giveExcess(held.get(0), held);
    bench.held.put(held.get(0), 3);
    giveExcess(waits.get(0), waits);

    RaidOutcome waiting = reconcile();

    assertThat(waiting.reason()).as(waiting.detail()).isEmpty();
    assertThat(waiting.state()).isEqualTo(FileState.REDUCED);
    assertThat(daemon.unaudited().total()).as("stripes that wait").isPositive();

    bench.cluster.place(waits.get(0), nodeOf(waits.get(0)));
    assertThat(reconcile().reason()).contains(Reason.HELD_BY_SNAPSHOT);
    assertThat(daemon.unaudited().total()).isZero();

    bench.held.clear();
    bench.cluster.replicate();
    assertThat(reconcile().state()).isEqualTo(FileState.RAIDED);
    assertApart(held);
    assertApart(waits);
  }

  @Test
  void aReductionWhoseAnswerWasLostIsCountedUntilItIsAudited() throws IOException {
    long other = bench.cluster.createFile("/cold/other", RaidBench.BLOCK, bench.content, 3);
    bench.cluster.loseNextAnswer(other);

    assertThatThrownBy(() -> daemon.raider().raid(other, RaidBench.RS, RaidProgress.NONE))
        .hasMessageContaining("was lost");

    assertThat(bench.cluster.file(other).orElseThrow().replication()).isEqualTo(1);
    assertThat(daemon.unaudited().total()).isPositive();

    RaidOutcome outcome = daemon.fileReconciler().reconcile(other);
    for (int round = 0; round < 5 && outcome.state() == FileState.REDUCED; round++) {
      outcome = daemon.fileReconciler().reconcile(other);
    }
    assertThat(outcome.state()).isEqualTo(FileState.RAIDED);
    assertThat(daemon.unaudited().total()).isZero();
  }

  @Test
  void whatIsYetToBeMovedStaysCounted() throws IOException {
    share(stripe(1).get(1), stripe(1).get(0));
    whenMoved =
        () -> {
          whenMoved = () -> {};
          share(stripe(1).get(3), stripe(1).get(2));
        };

    RaidOutcome outcome = reconcile();

    assertThat(outcome.state()).isEqualTo(FileState.REDUCED);
    assertThat(outcome.detail()).startsWith("To be moved: unit ");
    assertThat(daemon.unaudited().total()).isEqualTo(1);
    assertThat(reconcile().state()).isEqualTo(FileState.RAIDED);
    assertThat(daemon.unaudited().total()).isZero();
  }
}
