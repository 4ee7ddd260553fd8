// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.UnconfirmedOwnershipException;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What stands between a doubtful moment and a lowered replication, each guard alone: with it taken
 * out, its test fails.
 */
class RaidGuardsTest {
  private final RaidBench bench = new RaidBench();

  @AfterEach
  void close() {
    bench.close();
  }

  /** Something that happens on the cluster. */
  private interface Happening {
    void on(RaidBench bench) throws IOException;
  }

  /** A daemon to which something happens each time it has done a step. */
  private Pipelines daemon(Enum<?> when, Happening happening) {
    return bench.daemon(
        (step, subject) -> {
          if (step == when) {
            try {
              happening.on(bench);
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          }
        });
  }

  private RaidOutcome raid(Pipelines daemon) throws IOException {
    return daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
  }

  /** Lets so many through, then none: another daemon has taken over. */
  private static Fence deposedAfter(int passes) {
    int[] passed = {0};
    return () -> {
      if (passed[0]++ >= passes) {
        throw new IOException("deposed");
      }
    };
  }

  @Test
  void aDeposedDaemonCommitsNothing() {
    bench.fence = deposedAfter(0);

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE))).hasMessageContaining("deposed");

    assertThat(parity()).as("parity").isFalse();
    assertThat(source().replication()).isEqualTo(3);
  }

  @Test
  void aDaemonThatIsDeposedAfterItsCommitDoesNotReduce() throws IOException {
    bench.fence = deposedAfter(1);

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE))).hasMessageContaining("deposed");

    assertThat(bench.cluster.find(bench.inode).orElseThrow().phase())
        .isEqualTo(ParityPhase.COMMITTED);
    assertThat(source().replication()).isEqualTo(3);
  }

  private enum Ending {
    ORDERLY,
    ANSWER_LOST,
    CUT_OFF,
    INTERRUPTED
  }

  /**
   * As after it was stopped between the fence and the call, which HDFS carries out all the same,
   * while another daemon has let the file go.
   */
  @ParameterizedTest
  @EnumSource(Ending.class)
  void whatADeposedDaemonLoweredTooLateIsRaisedAgain(Ending ending) {
    bench.cluster.fencedBy(() -> bench.fence.pass());
    int[] unanswered = {ending == Ending.CUT_OFF ? 3 : 0};
    bench.fence =
        () -> {
          if (source().replication() == 1 && unanswered[0]-- > 0) {
            throw new UnconfirmedOwnershipException("cut off", new IOException("no route"));
          }
          if (source().replication() == 1) {
            bench.cluster.quarantine(bench.inode);
            throw new DeposedException("deposed");
          }
        };
    if (ending == Ending.ANSWER_LOST) {
      bench.cluster.loseNextAnswer(bench.inode);
    }
    if (ending == Ending.INTERRUPTED) {
      bench.cluster.whenReplicationIsSet(() -> Thread.currentThread().interrupt());
    }

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE)))
        .isInstanceOf(DeposedException.class);

    assertThat(source().replication()).isEqualTo(3);
    assertThat(Thread.interrupted()).isEqualTo(ending == Ending.INTERRUPTED);
  }

  @Test
  @Timeout(60) // it would wait for ten minutes
  void aDaemonThatIsToldToStopDoesNotWaitForTheAnswer() {
    bench.cluster.whenReplicationIsSet(() -> Thread.currentThread().interrupt());
    bench.fence =
        () -> {
          if (source().replication() == 1) {
            throw new UnconfirmedOwnershipException("cut off", new IOException("no route"));
          }
        };

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE)))
        .isInstanceOf(UnconfirmedOwnershipException.class);

    assertThat(Thread.interrupted()).as("it still knows that it is to stop").isTrue();
  }

  /** The other daemon goes on from there, and must not take a raise for the wish of a user. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatADeposedDaemonLoweredStaysLoweredIfTheOtherCountsOnIt(boolean isMarked)
      throws IOException {
    bench.cluster.fencedBy(() -> bench.fence.pass());
    bench.fence =
        () -> {
          if (source().replication() == 1) {
            if (isMarked) {
              bench.cluster.mark(bench.inode, ParityPhase.REDUCED);
            }
            throw new DeposedException("deposed");
          }
        };

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE)))
        .isInstanceOf(DeposedException.class);

    assertThat(source().replication()).isEqualTo(isMarked ? 1 : 3);
    bench.fence = () -> {};
    assertThat(bench.settle(bench.daemon(StepListener.NONE)).state()).isEqualTo(FileState.RAIDED);
  }

  /** Otherwise it would undo what its successor has done. */
  @Test
  void aReductionThatWasNotSentIsNotUndone() {
    bench.cluster.fencedBy(
        () -> {
          bench.cluster.undoReduction(bench.inode, 3, 1); // by the successor
          throw new DeposedException("deposed");
        });
    boolean[] deposed = {false};
    bench.fence =
        () -> {
          if (source().replication() == 1) {
            deposed[0] = true;
          }
          if (deposed[0]) {
            throw new DeposedException("deposed");
          }
        };

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE)))
        .isInstanceOf(DeposedException.class);

    assertThat(source().replication()).isEqualTo(1);
  }

  @Test
  void aDeposedDaemonLetsNoParityGo() throws IOException {
    raid(bench.daemon(StepListener.NONE));
    bench.settle(bench.daemon(StepListener.NONE));
    bench.fence = deposedAfter(2); // marked, raised
    Pipelines daemon = bench.daemon(StepListener.NONE);

    assertThatThrownBy(
            () -> {
              daemon.unraider().unraid(bench.inode);
              bench.settle(daemon);
            })
        .hasMessageContaining("deposed");

    assertThat(parity()).as("parity").isTrue();
  }

  @Test
  void parityThatSomebodyElseMovedAwayIsNotCalledRetired() throws IOException {
    raid(bench.daemon(StepListener.NONE));
    bench.settle(bench.daemon(StepListener.NONE));
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == UnraidStep.RESTORED) {
                moveAway();
              }
            });
    assertThatThrownBy(
            () -> {
              daemon.unraider().unraid(bench.inode);
              bench.settle(daemon);
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not in its place any more");
  }

  private void moveAway() {
    try {
      assertThat(bench.cluster.quarantine(bench.inode)).isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void parityOfADeletedFileIsNotTouchedByADeposedDaemon() throws IOException {
    raid(bench.daemon(StepListener.NONE));
    bench.cluster.delete(RaidBench.PATH);
    bench.fence = deposedAfter(0);

    assertThatThrownBy(
            () -> bench.daemon(StepListener.NONE).fileReconciler().reconcile(bench.inode))
        .hasMessageContaining("deposed");

    assertThat(parity()).as("parity").isTrue();
  }

  /** A daemon during whose encoding HDFS puts two parity units on one node. */
  private Pipelines crowding() {
    return daemon(
        RaidStep.ENCODED,
        on -> {
          List<LocatedBlock> units = drafted();
          DataNode shared = units.get(0).live().get(0).node();
          on.cluster.place(units.get(1).block().id(), shared);
        });
  }

  @Test
  void twoParityUnitsOnOneNodeAreParted() throws IOException {
    RaidOutcome outcome = raid(crowding());

    assertThat(outcome.state()).as(outcome.detail()).isEqualTo(FileState.REDUCED);
    assertThat(
            bench.cluster.find(bench.inode).orElseThrow().file().blocks().stream()
                .limit(3)
                .map(unit -> unit.live().get(0).node()))
        .doesNotHaveDuplicates();
  }

  @Test
  void twoParityUnitsOnOneNodeAreNotBuiltOn() throws IOException {
    bench.refuseMoves = true;
    RaidOutcome outcome = raid(crowding());

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.PARITY_CROWDED);
    assertNothingDone();
  }

  @Test
  void parityThatIsLostBeforeItIsProvenIsNotBuiltOn() throws IOException {
    RaidOutcome outcome = raid(daemon(RaidStep.ENCODED, on -> loseAll(drafted().get(2))));

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.MISSING_BLOCKS);
    assertNothingDone();
  }

  @Test
  void aReplicaThatGivesNoAnswerIsNotBuiltOn() throws IOException {
    RaidOutcome outcome = raid(daemon(RaidStep.DESCRIBED, on -> loseAll(drafted().get(2))));

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.REPLICA_UNPROVEN);
    assertNothingDone();
  }

  @Test
  void parityThatIsLostBeforeItIsProvenAgainKeepsTheReplicationUp() throws IOException {
    bench.fence = deposedAfter(1);
    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE))).hasMessageContaining("deposed");
    bench.fence = () -> {};
    loseAll(bench.cluster.find(bench.inode).orElseThrow().file().blocks().get(2));

    RaidOutcome outcome = bench.daemon(StepListener.NONE).fileReconciler().reconcile(bench.inode);

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.MISSING_BLOCKS);
    assertThat(source().replication()).isEqualTo(3);
  }

  @Test
  void parityThatIsLostAfterItWasProvenKeepsTheReplicationUp() throws IOException {
    RaidOutcome outcome =
        raid(
            daemon(
                RaidStep.COMMITTED,
                on -> loseAll(on.cluster.find(on.inode).orElseThrow().file().blocks().get(2))));

    assertThat(outcome.state()).as(outcome.detail()).isEqualTo(FileState.COMMITTED);
    assertThat(outcome.reason()).contains(Reason.PARITY_NOT_WHOLE);
    assertThat(source().replication()).isEqualTo(3);
  }

  @Test
  void aBlockThatIsLostAfterTheCommitKeepsTheReplicationUp() throws IOException {
    RaidOutcome outcome = raid(daemon(RaidStep.COMMITTED, on -> loseAll(source().blocks().get(4))));

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.MISSING_BLOCKS);
    assertThat(source().replication()).isEqualTo(3);
  }

  @Test
  void aFileThatChangesAfterTheCommitKeepsItsReplication() throws IOException {
    RaidOutcome outcome =
        raid(daemon(RaidStep.COMMITTED, on -> on.cluster.append(RaidBench.PATH, new byte[] {1})));

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.CHANGED_WHILE_ENCODING);
    assertThat(source().replication()).isEqualTo(3);
  }

  @Test
  void parityThatVanishesWhileTheReplicationIsLoweredRaisesItAgain() {
    int[] passed = {0};
    bench.fence =
        () -> {
          if (++passed[0] == 2) {
            bench.cluster.quarantine(bench.inode);
          }
        };

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE)))
        .hasMessageContaining("vanished")
        .hasMessageContaining("raised to 3");

    assertThat(source().replication()).isEqualTo(3);
  }

  @Test
  void aFileIsWorkedOnByOneTask() throws IOException {
    List<Class<?>> refused = new ArrayList<>();
    List<Pipelines> self = new ArrayList<>();
    Pipelines daemon =
        daemon(
            RaidStep.ENCODED,
            on -> {
              try {
                raid(self.get(0));
              } catch (FileInWorkException e) {
                refused.add(e.getClass());
              }
            });
    self.add(daemon);

    RaidOutcome outcome = raid(daemon);

    assertThat(refused).containsExactly(FileInWorkException.class);
    assertThat(outcome.state()).as(outcome.detail()).isEqualTo(FileState.REDUCED);
  }

  @Test
  void anOpenFileIsLeft() throws IOException {
    bench.cluster.setUnderConstruction(RaidBench.PATH, true);

    RaidOutcome outcome = raid(bench.daemon(StepListener.NONE));

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.UNDER_CONSTRUCTION);
    assertNothingDone();
  }

  @Test
  void aFileThatIsOpenedWhileItIsEncodedIsLeft() throws IOException {
    RaidOutcome outcome =
        raid(
            daemon(
                RaidStep.DESCRIBED, on -> on.cluster.setUnderConstruction(RaidBench.PATH, true)));

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.UNDER_CONSTRUCTION);
    assertNothingDone();
  }

  @Test
  void aChangedFileHasItsReplicasBackBeforeItsParityGoes() throws IOException {
    raid(bench.daemon(StepListener.NONE));
    bench.settle(bench.daemon(StepListener.NONE));
    bench.cluster.truncate(RaidBench.PATH, 3L * RaidBench.BLOCK);
    bench.condemned.put(source().blocks().get(0).block().id(), 1);
    Pipelines daemon = bench.daemon(StepListener.NONE);

    RaidOutcome waiting = bench.settle(daemon);

    assertThat(waiting.state()).as(waiting.detail()).isEqualTo(FileState.UNRAIDING);
    assertThat(source().replication()).isEqualTo(3);
    assertThat(parity()).as("parity").isTrue();
    bench.condemned.clear();
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.LEFT);
    assertThat(parity()).as("parity").isFalse();
  }

  @Test
  void aReplicaOnANodeThatLeavesIsNoneOfThoseThatLetTheParityGo() throws IOException {
    raid(bench.daemon(StepListener.NONE));
    bench.settle(bench.daemon(StepListener.NONE));
    DataNode leaving = source().blocks().get(0).live().get(0).node();
    bench.cluster.takeOutOfService(leaving);

    RaidOutcome outcome = bench.daemon(StepListener.NONE).unraider().unraid(bench.inode);

    assertThat(outcome.state()).as(outcome.detail()).isEqualTo(FileState.UNRAIDING);
    assertThat(parity()).as("parity").isTrue();
  }

  @Test
  void aFileWrittenAnewWithTheSameLengthAndTimesHasNothingOfTheOldParity() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    raid(daemon);
    bench.settle(daemon);
    LocatedFile old = source();
    bench.cluster.delete(RaidBench.PATH);
    byte[] other = bench.content.clone();
    other[0] ^= 1;
    long inode = bench.cluster.createFile(RaidBench.PATH, RaidBench.BLOCK, other, 3);
    LocatedFile now = bench.cluster.file(inode).orElseThrow();

    bench.settle(daemon);

    assertThat(now.length()).isEqualTo(old.length());
    assertThat(now.modified()).isEqualTo(old.modified());
    assertThat(bench.cluster.find(inode)).as("parity of the new file").isEmpty();
    assertThat(bench.cluster.file(inode).orElseThrow().replication()).isEqualTo(3);
    assertThat(parity()).as("parity of the old one").isFalse();
  }

  private void loseAll(LocatedBlock block) {
    block.live().forEach(r -> bench.cluster.deleteReplica(block.block().id(), r.node()));
  }

  private List<LocatedBlock> drafted() {
    return bench.cluster.paths().stream()
        .filter(path -> path.startsWith("/.raid/tmp/"))
        .flatMap(path -> bench.cluster.file(path).stream())
        .flatMap(file -> file.blocks().stream())
        .toList();
  }

  private LocatedFile source() {
    return bench.cluster.file(bench.inode).orElseThrow();
  }

  private boolean parity() {
    try {
      return bench.cluster.find(bench.inode).isPresent();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void assertNothingDone() throws IOException {
    assertThat(source().replication()).isEqualTo(3);
    assertThat(parity()).as("parity").isFalse();
    assertThat(bench.cluster.sweepDrafts()).as("drafts left").isZero();
  }
}
