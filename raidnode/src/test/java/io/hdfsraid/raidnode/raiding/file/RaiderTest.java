// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.AwaitedReports;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RaiderTest {
  private final RaidBench bench = new RaidBench();

  @AfterEach
  void close() {
    bench.close();
  }

  /** Stands in for the death of the process. */
  private static final class Halt extends Error {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "xor-6-1", "crs-good-6-3", "less-6-3", "hitchhiker-6-3"})
  void aColdFileEndsUpAtOneReplicaWithEveryUnitOnANodeOfItsOwn(String codec) throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);

    RaidOutcome reduced =
        daemon.raider().raid(bench.inode, new Protection(codec, 1, 1), RaidProgress.NONE);
    RaidOutcome raided = bench.settle(daemon);

    assertThat(reduced.state()).isEqualTo(FileState.REDUCED);
    assertThat(reduced.bytesEncoded()).isEqualTo(bench.content.length);
    assertThat(raided.state()).as(raided.detail()).isEqualTo(FileState.RAIDED);
    assertThat(source().replication()).isEqualTo(1);
    assertThat(bench.cluster.find(bench.inode).orElseThrow().manifest().layout())
        .isEqualTo(Codecs.parse(codec).layout());
    for (LocatedStripe stripe : stripes()) {
      List<DataNode> nodes = new ArrayList<>();
      stripe.units().stream()
          .flatMap(unit -> unit.located().stream())
          .forEach(block -> block.live().forEach(replica -> nodes.add(replica.node())));
      assertThat(nodes).as("%s", stripe).doesNotHaveDuplicates();
    }
    assertThat(bench.cluster.contentOf(RaidBench.PATH)).isEqualTo(bench.content);
  }

  @Test
  void aFileWhoseManifestWouldBeTooLargeIsLeftBeforeAnyByteIsRead() throws IOException {
    bench.cluster.limitManifests(100);
    bench.cluster.resetCounts();
    RaidOutcome left =
        bench.daemon(StepListener.NONE).raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    assertThat(left.reason()).contains(Reason.MANIFEST_TOO_LARGE);
    assertThat(bench.cluster.bytesRead()).isZero();
    assertThat(source().replication()).isEqualTo(3);
  }

  @Test
  void theStepsComeInTheirOrder() throws IOException {
    List<Enum<?>> reached = new ArrayList<>();
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step instanceof RaidStep) {
                reached.add(step);
              }
            });

    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    bench.settle(daemon);

    assertThat(reached.stream().distinct().toList()).isEqualTo(List.of(RaidStep.values()));
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void aDaemonThatDiesAfterAnyStepIsTakenUpByTheNext(RaidStep fatal) throws IOException {
    Pipelines dying =
        bench.daemon(
            (step, subject) -> {
              if (step == fatal) {
                throw new Halt();
              }
            });
    assertThatThrownBy(
            () -> {
              dying.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
              bench.settle(dying);
            })
        .isInstanceOf(Halt.class);
    assertProtected("after the death at " + fatal);

    Pipelines next = bench.daemon(StepListener.NONE);
    if (bench.cluster.find(bench.inode).isEmpty()) {
      next.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    }
    RaidOutcome end = bench.settle(next);

    assertThat(end.state()).as(end.detail()).isEqualTo(FileState.RAIDED);
    assertThat(bench.cluster.find(bench.inode).orElseThrow().phase())
        .isEqualTo(ParityPhase.REDUCED);
    next.janitor().sweep();
    assertThat(bench.cluster.sweepDrafts()).as("drafts left").isZero();
    assertThat(bench.cluster.contentOf(RaidBench.PATH)).isEqualTo(bench.content);
  }

  @ParameterizedTest
  @EnumSource(UnraidStep.class)
  void aDaemonThatDiesWhileLettingGoIsTakenUpByTheNext(UnraidStep fatal) throws IOException {
    raided();
    Pipelines dying =
        bench.daemon(
            (step, subject) -> {
              if (step == fatal) {
                throw new Halt();
              }
            });
    assertThatThrownBy(
            () -> {
              dying.unraider().unraid(bench.inode);
              bench.settle(dying);
              dying.janitor().sweep();
            })
        .isInstanceOf(Halt.class);
    assertProtected("after the death at " + fatal);

    Pipelines next = bench.daemon(StepListener.NONE);
    RaidOutcome end = bench.settle(next);
    next.janitor().sweep();

    assertThat(end.state()).as(end.detail()).isEqualTo(FileState.LEFT);
    assertThat(source().replication()).isEqualTo(3);
    assertThat(source().blocks()).allSatisfy(block -> assertThat(block.live()).hasSize(3));
    assertThat(bench.cluster.find(bench.inode)).isEmpty();
    assertThat(quarantined()).isEmpty();
  }

  /** What a user may do to a file. */
  enum UserAction {
    APPEND {
      @Override
      void to(RaidBench bench) {
        bench.cluster.append(RaidBench.PATH, new byte[] {1, 2, 3});
      }
    },
    TRUNCATE_INTO_A_BLOCK {
      @Override
      void to(RaidBench bench) {
        bench.cluster.truncate(RaidBench.PATH, 3L * RaidBench.BLOCK - 10);
      }
    },
    TRUNCATE_AND_APPEND_TO_THE_SAME_LENGTH {
      @Override
      void to(RaidBench bench) {
        long length = bench.content.length;
        bench.cluster.truncate(RaidBench.PATH, length - 500);
        bench.cluster.append(RaidBench.PATH, new byte[500]);
      }
    },
    OPEN_FOR_WRITING {
      @Override
      void to(RaidBench bench) {
        bench.cluster.setUnderConstruction(RaidBench.PATH, true);
      }
    },
    RENAME {
      @Override
      void to(RaidBench bench) {
        bench.cluster.rename(RaidBench.PATH, "/warehouse/renamed.orc");
      }
    },
    DELETE {
      @Override
      void to(RaidBench bench) {
        bench.cluster.delete(RaidBench.PATH);
      }
    },
    RAISE_REPLICATION {
      @Override
      void to(RaidBench bench) throws IOException {
        bench.cluster.setReplication(bench.inode, 4);
      }
    };

    abstract void to(RaidBench bench) throws IOException;
  }

  static Stream<Arguments> everyStepWithEveryAction() {
    return Stream.of(RaidStep.values())
        .flatMap(step -> Stream.of(UserAction.values()).map(act -> Arguments.of(step, act)));
  }

  @ParameterizedTest
  @MethodSource("everyStepWithEveryAction")
  void whateverAUserDoesAfterAnyStepTheFileStaysProtected(RaidStep when, UserAction action)
      throws IOException {
    boolean[] done = {false};
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == when && !done[0]) {
                done[0] = true;
                try {
                  action.to(bench);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              }
            });

    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    bench.settle(daemon);

    assertThat(done[0]).as("%s was reached", when).isTrue();
    assertProtected("%s after %s".formatted(action, when));
  }

  @Test
  void aFileThatIsDeletedWhileItsUnitsAreMovedIsLookedAtAgain() throws IOException {
    boolean[] moved = {false};
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == MoveStep.SETTLED && !moved[0]) {
                moved[0] = true;
                bench.cluster.delete(RaidBench.PATH);
              }
            });
    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    List<LocatedBlock> blocks = source().blocks();
    DataNode shared = blocks.get(1).live().get(0).node();
    bench.cluster.place(blocks.get(0).block().id(), shared);

    RaidOutcome audited = daemon.fileReconciler().reconcile(bench.inode);

    assertThat(moved[0]).as("a unit was moved").isTrue();
    assertThat(audited.state()).as(audited.detail()).isEqualTo(FileState.REDUCED);
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.LEFT);
    assertThat(quarantined()).hasSize(1);
  }

  @Test
  void aDeposedDaemonNeitherCommitsNorReduces() {
    bench.fence =
        () -> {
          throw new IOException("deposed");
        };

    assertThatThrownBy(
            () ->
                bench
                    .daemon(StepListener.NONE)
                    .raider()
                    .raid(bench.inode, RaidBench.RS, RaidProgress.NONE))
        .hasMessageContaining("deposed");

    assertThat(source().replication()).isEqualTo(3);
    assertThat(bench.cluster.sweepDrafts()).as("drafts left").isZero();
  }

  @Test
  void aReplicaWithAnotherTypeOfChecksumKeepsTheReplicationUpToo() throws IOException {
    bench.otherChecksums.add(source().blocks().get(2).live().get(1).node());

    RaidOutcome outcome =
        bench.daemon(StepListener.NONE).raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);

    assertThat(outcome.reason()).contains(Reason.OTHER_CHECKSUM);
    assertThat(source().replication()).isEqualTo(3);
    assertThat(bench.cluster.find(bench.inode)).isEmpty();
  }

  @Test
  void oneReplicaWithOtherContentKeepsTheReplicationUp() throws IOException {
    LocatedBlock block = source().blocks().get(2);
    DataNode liar = block.live().get(1).node();
    bench.stale.add(liar);

    RaidOutcome outcome =
        bench.daemon(StepListener.NONE).raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);

    assertThat(outcome.reason()).contains(Reason.REPLICA_UNPROVEN);
    assertThat(outcome.detail()).contains(liar.address());
    assertThat(source().replication()).isEqualTo(3);
    assertThat(bench.cluster.find(bench.inode)).isEmpty();
  }

  @Test
  void tooFewNodesAreRefusedWithTheArithmetic() throws IOException {
    // Of 7 blocks one replica each stays in service, so it is not for want of these.
    Set<DataNode> staying = new LinkedHashSet<>();
    source().blocks().forEach(block -> staying.add(block.live().get(0).node()));
    for (DataNode node : bench.cluster.allNodes()) {
      if (staying.size() < 8) {
        staying.add(node);
      } else if (!staying.contains(node)) {
        bench.cluster.takeOutOfService(node);
      }
    }

    RaidOutcome outcome = raid();

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.TOO_FEW_NODES);
    assertThat(outcome.detail()).contains("6 data units needs 9 DataNodes", "there are 8");
    assertThat(bench.cluster.parityBytesWritten()).isZero();
  }

  @Test
  void whereTooFewNodesHaveRoomForAParityUnitNothingIsWritten() throws IOException {
    // 3 units of parity, each as long as a block: 2 nodes have room for one.
    bench.cluster.allNodes().stream()
        .skip(2)
        .forEach(node -> bench.cluster.leaveRoom(node, RaidBench.BLOCK));

    RaidOutcome outcome = raid();

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.NOT_ENOUGH_SPACE);
    assertThat(outcome.detail()).contains("2 DataNodes", "needs 3");
    assertThat(bench.cluster.parityBytesWritten()).isZero();
  }

  @Test
  void whereTheParityAsAWholeHasNoRoomNothingIsWritten() throws IOException {
    // 2 stripes of 3 units; 4 nodes have room for one unit each, and no more.
    List<DataNode> nodes = bench.cluster.allNodes();
    nodes.forEach(node -> bench.cluster.leaveRoom(node, 0));
    nodes.subList(0, 4).forEach(node -> bench.cluster.leaveRoom(node, RaidBench.BLOCK + 1));

    RaidOutcome outcome = raid();

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.NOT_ENOUGH_SPACE);
    assertThat(outcome.detail()).contains("before replicas go");
    assertThat(bench.cluster.parityBytesWritten()).isZero();
  }

  private RaidOutcome raid() throws IOException {
    return bench
        .daemon(StepListener.NONE)
        .raider()
        .raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
  }

  @Test
  void filesWaitCommittedWhileTooManyStripesAreUnaudited() throws IOException {
    bench.maxUnaudited = 2;
    Pipelines daemon = bench.daemon(StepListener.NONE);
    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    long second = bench.cluster.createFile("/b", RaidBench.BLOCK, bench.content, 3);

    RaidOutcome waiting = daemon.raider().raid(second, RaidBench.RS, RaidProgress.NONE);
    assertThat(waiting.state()).as(waiting.detail()).isEqualTo(FileState.COMMITTED);
    assertThat(bench.cluster.file(second).orElseThrow().replication()).isEqualTo(3);

    bench.settle(daemon);
    assertThat(daemon.fileReconciler().reconcile(second).state()).isEqualTo(FileState.REDUCED);
  }

  @Test
  void aFileThatIsBeingUnraidedKeepsNoOtherFromBeingReduced() throws IOException {
    bench.maxUnaudited = 2;
    Pipelines daemon = bench.daemon(StepListener.NONE);
    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    assertThat(daemon.unaudited().hasRoom()).isFalse();
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    bench.cluster.setUnderConstruction(RaidBench.PATH, true);

    RaidOutcome open = daemon.fileReconciler().reconcile(bench.inode);

    assertThat(open.reason()).as(open.detail()).contains(Reason.UNDER_CONSTRUCTION);
    assertThat(daemon.unaudited().total()).isZero();
  }

  @Test
  void aFileThatIsGoneKeepsItsParityWhileASnapshotHoldsItsBlocks() throws IOException {
    raided();
    bench.cluster.snapshot(RaidBench.PATH);
    bench.cluster.delete(RaidBench.PATH);
    Pipelines daemon = bench.daemon(StepListener.NONE);

    RaidOutcome orphaned = daemon.fileReconciler().reconcile(bench.inode);
    assertThat(orphaned.state()).isEqualTo(FileState.UNRAIDING);
    assertThat(orphaned.reason()).contains(Reason.GONE);
    assertThat(bench.cluster.find(bench.inode)).isPresent();
  }

  @Test
  void whatWasTruncatedAwayUnderASnapshotKeepsItsParity() throws IOException {
    raided();
    bench.cluster.snapshot(RaidBench.PATH);
    bench.cluster.truncate(RaidBench.PATH, 2L * RaidBench.BLOCK);

    RaidOutcome outcome = bench.settle(bench.daemon(StepListener.NONE));

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.HELD_BY_SNAPSHOT);
    assertThat(source().replication()).isEqualTo(3);
    assertThat(bench.cluster.find(bench.inode)).isPresent();
  }

  @Test
  void aReplicationBelowTheTargetIsPutBackAndOneAboveIsLeft() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    daemon.raider().raid(bench.inode, new Protection("rs-6-3", 2, 1), RaidProgress.NONE);
    bench.settle(daemon);
    bench.cluster.setReplication(bench.inode, 1);

    bench.settle(daemon);
    assertThat(source().replication()).isEqualTo(2);

    bench.cluster.setReplication(bench.inode, 5);
    RaidOutcome left = bench.settle(daemon);
    assertThat(source().replication()).isEqualTo(5);
    assertThat(left.detail()).contains("raised");
  }

  @Test
  void replicasThatAreOnTheirWayOutDoNotLetTheParityGo() throws IOException {
    raided();
    long condemned = source().blocks().get(3).block().id();
    bench.condemned.put(condemned, 2);
    Pipelines daemon = bench.daemon(StepListener.NONE);

    daemon.unraider().unraid(bench.inode);
    RaidOutcome waiting = bench.settle(daemon);
    assertThat(waiting.state()).as(waiting.detail()).isEqualTo(FileState.UNRAIDING);
    assertThat(bench.cluster.find(bench.inode)).isPresent();

    bench.condemned.clear();
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.LEFT);
  }

  @Test
  void replicasOfWhichANewNameNodeHasNotHeardAreAwaited() throws IOException {
    raided();
    LocatedBlock block = source().blocks().get(3);
    bench.condemned.put(block.block().id(), 3);
    bench.staleReplicas = 3;
    Pipelines daemon = bench.daemon(StepListener.NONE);

    daemon.unraider().unraid(bench.inode);
    RaidOutcome waiting = bench.settle(daemon);

    assertThat(waiting.detail()).contains("1 of ", "no full block report");
    Set<DataNode> holders = bench.cluster.file(bench.inode).orElseThrow().blocks().get(3).holders();
    assertThat(holders).hasSize(3);
    assertThat(daemon.reports().all()).contains(new AwaitedReports.Wait(bench.startedAt, holders));

    bench.condemned.clear();
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.LEFT);
    assertThat(daemon.reports().all()).isEmpty();
  }

  @Test
  void aRottenReplicaThatWasMetWhileEncodingIsReportedAndTheFileIsLeft() throws IOException {
    LocatedBlock block = source().blocks().get(1);
    bench.cluster.corrupt(block.block().id(), block.live().get(0).node());

    RaidOutcome outcome =
        bench.daemon(StepListener.NONE).raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);

    assertThat(outcome.reason()).as(outcome.detail()).contains(Reason.REPLICA_UNPROVEN);
    assertThat(source().replication()).isEqualTo(3);
    assertThat(source().blocks().get(1).live()).as("live after the report").hasSize(2);
    assertThat(bench.cluster.find(bench.inode)).isEmpty();
  }

  /** A report cannot be undone, and with bad memory here every replica looks rotten. */
  @Test
  void aReplicaThatIsSoundWhenItIsReadAgainIsNotReported() throws IOException {
    LocatedBlock block = source().blocks().get(1);
    bench.misread.add(block.block());

    RaidOutcome outcome =
        bench.daemon(StepListener.NONE).raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);

    assertThat(outcome.reason()).as(outcome.detail()).isEmpty();
    assertThat(bench.misread).isEmpty();
    for (Replica replica : block.live()) {
      assertThat(bench.cluster.isReported(block.block().id(), replica.node())).isFalse();
    }
  }

  @Test
  void aReplicationThatAUserChangesWhileItIsEncodedIsNotLowered() throws IOException {
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.COMMITTED) {
                try {
                  bench.cluster.setReplication(bench.inode, 10);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              }
            });

    RaidOutcome outcome = daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);

    assertThat(outcome.reason()).contains(Reason.REPLICATION_CHANGED);
    assertThat(source().replication()).isEqualTo(10);
  }

  /** Else nobody would know of it if its parity were deleted before the outcome is noted. */
  @Test
  void aFileIsWrittenDownBeforeItsReplicationIsLowered() throws IOException {
    List<Integer> replication = new ArrayList<>();
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.REDUCED) {
                replication.add(bench.reductions.size());
                bench.cluster.deleteParity();
              }
            });

    assertThatThrownBy(() -> daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE))
        .isInstanceOf(IOException.class);

    assertThat(replication).as("written down when it was reduced").containsExactly(1);
    assertThat(bench.reductions.get(0).manifest().members().get(0).inode()).isEqualTo(bench.inode);
    assertThat(source().replication()).isEqualTo(1);
  }

  @Test
  void aFileWhoseParityIsGoneGetsItsReplicasBack() throws IOException {
    raided();
    bench.cluster.quarantine(bench.inode);

    RaidOutcome outcome =
        bench.daemon(StepListener.NONE).fileReconciler().unprotected(bench.inode, 3, "gone");

    assertThat(outcome.reason()).contains(Reason.PARITY_GONE);
    assertThat(source().replication()).isEqualTo(3);
  }

  private void raided() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    assertThat(bench.settle(daemon).state()).isEqualTo(FileState.RAIDED);
  }

  private LocatedFile source() {
    return bench.cluster.file(bench.inode).orElseThrow();
  }

  private List<LocatedStripe> stripes() throws IOException {
    ParityFile parity = bench.cluster.find(bench.inode).orElseThrow();
    return new StripeLocator(Codecs::parse).locate(parity, Map.of(bench.inode, source()));
  }

  private List<ParityFile> quarantined() throws IOException {
    List<ParityFile> found = new ArrayList<>();
    bench.cluster.forEachQuarantined(found::add);
    return found;
  }

  /**
   * Invariant 1: what has fewer replicas than it had is covered by live parity, or its replication
   * is up.
   */
  private void assertProtected(String when) throws IOException {
    var source = bench.cluster.file(bench.inode);
    if (source.isEmpty() || source.get().replication() >= 3) {
      return;
    }
    assertThat(bench.cluster.find(bench.inode)).as("parity %s", when).isPresent();
    for (LocatedStripe stripe : stripes()) {
      assertThat(stripe.units())
          .as("%s %s", stripe, when)
          .allMatch(unit -> unit.state() == UnitState.LIVE || unit.state() == UnitState.ABSENT);
    }
  }
}
