// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.ReturnStep;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes into quarantine, what keeps it there, and what lets it out. */
class QuarantineTest {
  private final RaidBench bench = new RaidBench();
  private Pipelines daemon;

  @BeforeEach
  void raidAndUnraid() throws IOException {
    daemon = bench.daemon(StepListener.NONE);
    raidAgain();
    daemon.unraider().unraid(bench.inode);
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.LEFT);
  }

  private void raidAgain() throws IOException {
    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.RAIDED);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void theParityOfAnUnraidedFileIsThereWithTheTimeItIsDue() throws IOException {
    ParityFile kept = kept();

    assertThat(Quarantine.inodeOf(kept)).isEqualTo(bench.inode);
    assertThat(daemon.quarantine().due(kept)).isEqualTo(kept.file().modified());
    assertThat(daemon.quarantine().neededBecause(kept)).isEmpty();
    assertThat(daemon.quarantine().unfitBecause(kept)).isEmpty();
    assertThat(daemon.quarantine().of(bench.inode)).hasSize(1);
    assertThat(daemon.quarantine().of(bench.inode + 1)).isEmpty();
  }

  @Test
  void whatIsRestoredIsProvenAndReducesItsFileAgainWithoutEncoding() throws IOException {
    long written = bench.cluster.parityBytesWritten();

    assertThat(daemon.quarantine().restore(kept())).isEmpty();
    RaidOutcome end = bench.settle(daemon);

    assertThat(end.state()).as(end.detail()).isEqualTo(FileState.RAIDED);
    assertThat(source().replication()).isEqualTo(1);
    assertThat(bench.cluster.parityBytesWritten()).isEqualTo(written);
    assertThat(all()).isEmpty();
  }

  @Test
  void whatDoesNotFitItsFileAnyMoreStaysInQuarantine() throws IOException {
    bench.cluster.append(RaidBench.PATH, new byte[] {1});

    assertThat(daemon.quarantine().restore(kept()))
        .contains("its file has other blocks than those it was made of");

    assertThat(bench.cluster.find(bench.inode)).isEmpty();
    assertThat(all()).hasSize(1);
  }

  @Test
  void whatHasASuccessorStaysInQuarantine() throws IOException {
    raidAgain();

    assertThat(daemon.quarantine().restore(kept())).contains("its file has other parity now");
    assertThat(all()).hasSize(1);
  }

  @Test
  void whatHasASoundSuccessorIsNotNeeded() throws IOException {
    raidAgain();
    LocatedBlock ofSuccessor = bench.cluster.find(bench.inode).orElseThrow().file().blocks().get(0);
    DataNode holder = ofSuccessor.live().get(0).node();
    bench.cluster.kill(holder);
    assertThat(daemon.quarantine().purge(kept())).as("a unit of the successor is lost").isPresent();

    bench.cluster.revive(holder);

    assertThat(daemon.quarantine().purge(kept())).isEmpty();
    assertThat(bench.cluster.find(bench.inode)).isPresent();
  }

  /** Concatenated files live on in another one: by its inode its parity is found. */
  @Test
  void whatTheParityOfAConcatTargetProtectsIsNotNeeded() throws IOException {
    long target = bench.cluster.createFile("/warehouse/all.orc", RaidBench.BLOCK, bench.content, 3);
    bench.cluster.concat("/warehouse/all.orc", RaidBench.PATH);
    daemon.raider().raid(target, RaidBench.RS, RaidProgress.NONE);
    LocatedBlock unit = bench.cluster.find(target).orElseThrow().file().blocks().get(0);
    DataNode holder = unit.live().get(0).node();
    bench.cluster.kill(holder);
    assertThat(daemon.quarantine().purge(kept())).as("a unit of the target is lost").isPresent();

    bench.cluster.revive(holder);

    assertThat(daemon.quarantine().purge(kept())).isEmpty();
    assertThat(bench.cluster.find(target)).isPresent();
  }

  @Test
  void parityOfAFileThatIsGoneIsNotRestored() throws IOException {
    ParityFile kept = kept();
    bench.cluster.delete(RaidBench.PATH);

    assertThat(daemon.quarantine().restore(kept)).contains("its file is gone");
  }

  @Test
  void whatCannotBeJudgedIsKeptAndKeepsNoOtherFromBeingPurged() throws IOException {
    long other = bench.cluster.createFile("/warehouse/other", RaidBench.BLOCK, bench.content, 3);
    daemon.raider().raid(other, RaidBench.RS, RaidProgress.NONE);
    daemon.unraider().unraid(other);
    bench.cluster.replicate();
    daemon.unraider().unraid(other);
    assertThat(bench.cluster.quarantined(other)).hasSize(1);
    bench.untold.add(source().blocks().get(0).block().id());

    Janitor.Swept swept = daemon.janitor().sweep();

    assertThat(swept.purged()).isEqualTo(1);
    assertThat(swept.kept()).isEqualTo(1);
    assertThat(bench.cluster.quarantined(other)).isEmpty();
    assertThat(all()).hasSize(1);
  }

  @Test
  void aDeposedDaemonNeitherRestoresNorPurges() throws IOException {
    ParityFile kept = kept();
    bench.fence =
        () -> {
          throw new IOException("deposed");
        };

    assertThatThrownBy(() -> daemon.quarantine().restore(kept)).hasMessageContaining("deposed");
    assertThatThrownBy(() -> daemon.quarantine().purge(kept)).hasMessageContaining("deposed");

    bench.fence = () -> {};
    assertThat(all()).hasSize(1);
  }

  @Test
  void parityThatAnotherTaskWorksOnIsNotPurged() throws IOException {
    ParityFile kept = kept();
    List<Optional<String>> meanwhile = new ArrayList<>();
    bench.fence =
        () -> {
          if (meanwhile.isEmpty()) {
            meanwhile.add(daemon.quarantine().purge(kept));
          }
        };
    assertThat(daemon.quarantine().purge(kept)).isEmpty();
    assertThat(meanwhile).containsExactly(Optional.of("another task works on it"));
  }

  @Test
  void aBlockThatLacksReplicasKeepsTheParityAndSaysWhy() throws IOException {
    LocatedBlock block = source().blocks().get(4);
    bench.cluster.deleteReplica(block.block().id(), block.live().get(0).node());

    assertThat(daemon.quarantine().purge(kept()))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .contains(
                        "blk_" + block.block().id(), RaidBench.PATH, "2 live replicas, not 3"));
    assertThat(daemon.janitor().sweep()).isEqualTo(new Janitor.Swept(0, 0, 1, 0));

    bench.cluster.replicate();
    assertThat(daemon.janitor().sweep()).isEqualTo(new Janitor.Swept(0, 1, 0, 0));
    assertThat(all()).isEmpty();
  }

  @Test
  void theTimeInQuarantineBeginsAnewIfTheClockWasSetBackSince() throws IOException {
    bench.cluster.setTime(bench.startedAt.plus(Duration.ofDays(365)));
    raidAgain();
    daemon.unraider().unraid(bench.inode);
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.LEFT);
    bench.cluster.setTime(bench.startedAt);

    assertThat(daemon.janitor().sweep()).isEqualTo(new Janitor.Swept(0, 1, 1, 0));
    assertThat(daemon.quarantine().due(kept())).isEqualTo(bench.startedAt);
    assertThat(daemon.janitor().sweep()).isEqualTo(new Janitor.Swept(0, 1, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({"2, true", "1, false"})
  void aReplicationOfAUsersChoiceIsEnoughUnlessItIsTheOneThatRaidingLeft(
      int replication, boolean purged) throws IOException {
    bench.cluster.setReplication(bench.inode, replication);
    bench.cluster.replicate();

    assertThat(daemon.quarantine().purge(kept()).isEmpty()).isEqualTo(purged);
  }

  @Test
  void aSnapshotThatHoldsABlockWithOneReplicaKeepsTheParity() throws IOException {
    raidAgain();
    bench.cluster.snapshot(RaidBench.PATH);
    bench.cluster.delete(RaidBench.PATH);
    bench.cluster.quarantine(bench.inode);

    assertThat(all()).hasSize(2);
    for (ParityFile each : all()) {
      assertThat(daemon.quarantine().purge(each)).as("%s", each.file()).isPresent();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, true", "3, true"})
  void itIsPutBackIntoServiceWhenABlockIsDownToItsLastReplica(int lost, boolean revived)
      throws IOException {
    LocatedBlock block = source().blocks().get(2);
    for (Replica replica : block.live().subList(0, lost)) {
      bench.cluster.deleteReplica(block.block().id(), replica.node());
    }

    assertThat(daemon.quarantine().reviveWhenNeeded(bench.inode).isPresent()).isEqualTo(revived);

    assertThat(bench.cluster.find(bench.inode).isPresent()).isEqualTo(revived);
  }

  @Test
  void whatWasPutBackBecauseItIsNeededNeverLowersReplicationAndReturnsByItself()
      throws IOException {
    LocatedBlock block = source().blocks().get(2);
    for (Replica replica : block.live().subList(0, 2)) {
      bench.cluster.deleteReplica(block.block().id(), replica.node());
    }
    assertThat(daemon.quarantine().reviveWhenNeeded(kept())).isPresent();

    assertThat(bench.cluster.find(bench.inode).orElseThrow().phase())
        .isEqualTo(ParityPhase.UNRAIDING);
    RaidOutcome end = bench.settle(daemon);

    assertThat(end.state()).as(end.detail()).isEqualTo(FileState.LEFT);
    assertThat(source().replication()).isEqualTo(3);
    assertThat(all()).hasSize(1);
  }

  @Test
  void parityThatDoesNotFitIsNotPutBackHoweverManyReplicasAreLost() throws IOException {
    bench.cluster.truncate(RaidBench.PATH, 3L * RaidBench.BLOCK);
    LocatedBlock block = source().blocks().get(0);
    block
        .live()
        .forEach(replica -> bench.cluster.deleteReplica(block.block().id(), replica.node()));

    assertThat(daemon.quarantine().reviveWhenNeeded(bench.inode)).isEmpty();
    assertThat(all()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(ReturnStep.class)
  void aDaemonThatDiesWhileItRestoresLeavesAFileThatTheNextOneSettles(ReturnStep fatal)
      throws IOException {
    ParityFile kept = kept();
    Pipelines dying =
        bench.daemon(
            (step, subject) -> {
              if (step == fatal) {
                throw new IllegalStateException("dead");
              }
            });
    assertThatThrownBy(() -> dying.quarantine().restore(kept)).hasMessage("dead");

    RaidOutcome end = bench.settle(bench.daemon(StepListener.NONE));

    boolean restored = fatal == ReturnStep.REINSTATED;
    assertThat(end.state())
        .as(end.detail())
        .isEqualTo(restored ? FileState.RAIDED : FileState.LEFT);
    assertThat(source().replication()).isEqualTo(restored ? 1 : 3);
    assertThat(all()).hasSize(restored ? 0 : 1);
    assertThat(bench.cluster.contentOf(RaidBench.PATH)).isEqualTo(bench.content);
  }

  private ParityFile kept() throws IOException {
    List<ParityFile> all = all();
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  private List<ParityFile> all() throws IOException {
    List<ParityFile> found = new ArrayList<>();
    daemon.quarantine().forEach(found::add);
    return found;
  }

  private LocatedFile source() {
    return bench.cluster.file(bench.inode).orElseThrow();
  }
}
