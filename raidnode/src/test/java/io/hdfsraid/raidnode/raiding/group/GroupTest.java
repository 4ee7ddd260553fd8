// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
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
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.GroupMembers;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.RegroupStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.raidnode.raiding.file.Janitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that share parity, on the in-memory cluster: 14 files of one or two blocks. */
class GroupTest {
  private static final int FILES = 14;
  private static final String DIRECTORY = "/small/";

  private final RaidBench bench = new RaidBench();
  private final Map<String, Long> inodes = new TreeMap<>();
  private final Map<String, byte[]> contents = new TreeMap<>();

  GroupTest() {
    Random random = new Random(11);
    for (int i = 0; i < FILES; i++) {
      // Odd sizes on purpose; every fifth file has a second, short block.
      byte[] bytes = new byte[i % 5 == 4 ? RaidBench.BLOCK + 17 * i + 1 : 1_000 + 211 * i];
      random.nextBytes(bytes);
      String path = DIRECTORY + "f%02d".formatted(i);
      contents.put(path, bytes);
      inodes.put(path, bench.cluster.createFile(path, RaidBench.BLOCK, bytes, 3));
    }
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Stands in for the death of the process. */
  private static final class Halt extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static StepListener haltingAt(Enum<?> fatal) {
    return (step, subject) -> {
      if (step == fatal) {
        throw new Halt();
      }
    };
  }

  private GroupOutcome raid(Pipelines daemon) throws IOException {
    return daemon.groupRaider().raid(inodes.values(), RaidBench.RS, 10, RaidProgress.NONE);
  }

  /** What the rounds of a daemon do until nothing changes any more. */
  private void settle(Pipelines daemon) throws IOException {
    for (int round = 0; round < 6; round++) {
      for (GroupId group : groups()) {
        daemon.groupReconciler().reconcile(group);
      }
      bench.cluster.replicate();
    }
  }

  private Set<GroupId> groups() throws IOException {
    Set<GroupId> found = new HashSet<>();
    bench.cluster.forEach(
        id -> {
          if (GroupId.isGroup(id)) {
            found.add(new GroupId(id));
          }
        });
    return found;
  }

  private GroupId onlyGroup() throws IOException {
    assertThat(groups()).hasSize(1);
    return groups().iterator().next();
  }

  private ParityFile onlyParity() throws IOException {
    return bench.cluster.find(onlyGroup().value()).orElseThrow();
  }

  private Pipelines raided() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    raid(daemon);
    settle(daemon);
    assertThat(daemon.groupReconciler().reconcile(onlyGroup()).isAt(FileState.RAIDED)).isTrue();
    return daemon;
  }

  private LocatedFile file(String path) {
    return bench.cluster.file(path).orElseThrow();
  }

  private List<Long> members() throws IOException {
    return onlyParity().manifest().members().stream().map(m -> m.inode()).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "rs-3-2", "crs-good-6-3", "less-6-3", "hitchhiker-6-3"})
  void smallFilesEndUpAtOneReplicaUnderParityTheyShare(String codec) throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);

    GroupOutcome outcome =
        daemon
            .groupRaider()
            .raid(inodes.values(), new Protection(codec, 1, 1), 10, RaidProgress.NONE);
    settle(daemon);

    assertThat(outcome.isAt(FileState.REDUCED)).as("%s", outcome).isTrue();
    assertThat(daemon.groupReconciler().reconcile(onlyGroup()).isAt(FileState.RAIDED)).isTrue();
    Manifest manifest = onlyParity().manifest();
    assertThat(members()).containsExactlyElementsOf(inodes.values().stream().sorted().toList());
    assertThat(manifest.layout()).isEqualTo(Codecs.parse(codec).layout());
    for (String path : inodes.keySet()) {
      assertThat(file(path).replication()).isEqualTo(1);
      assertThat(bench.cluster.hintOf(inodes.get(path))).contains(onlyGroup());
    }
    for (LocatedStripe stripe : stripes(onlyGroup())) {
      List<DataNode> nodes = new ArrayList<>();
      stripe.units().stream()
          .flatMap(unit -> unit.located().stream())
          .forEach(block -> block.live().forEach(replica -> nodes.add(replica.node())));
      assertThat(nodes).as("%s", stripe).doesNotHaveDuplicates();
    }
    // Units of similar length share a stripe: the shortest of one is as long as the next's longest.
    long shortestBefore = Long.MAX_VALUE;
    for (var stripe : manifest.stripes()) {
      assertThat(stripe.longest()).isLessThanOrEqualTo(shortestBefore);
      shortestBefore =
          stripe.data().stream().mapToLong(unit -> unit.block().length()).min().orElseThrow();
    }
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

    raid(daemon);
    settle(daemon);

    assertThat(reached.stream().distinct().toList()).isEqualTo(List.of(RaidStep.values()));
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void aDaemonThatDiesAfterAnyStepOfRaidingAGroupIsTakenUpByTheNext(RaidStep fatal)
      throws IOException {
    Pipelines dying = bench.daemon(haltingAt(fatal));
    assertThatThrownBy(
            () -> {
              raid(dying);
              settle(dying);
            })
        .isInstanceOf(Halt.class);
    assertProtected("after the death at " + fatal);
    bench.cluster.abandonDrafts();

    Pipelines next = bench.daemon(StepListener.NONE);
    settle(next);
    raid(next);
    settle(next);

    assertThat(members()).hasSize(FILES);
    assertThat(onlyParity().phase()).isEqualTo(ParityPhase.REDUCED);
    next.janitor().sweep();
    assertThat(bench.cluster.sweepDrafts()).as("drafts left").isZero();
    assertThat(next.groupReconciler().reconcile(onlyGroup()).isAt(FileState.RAIDED)).isTrue();
    assertContents();
  }

  static Stream<Enum<?>> stepsOfRegrouping() {
    return Stream.concat(
        // Before COMMITTED come those of the first encoding, too: each is met by the second as
        // well.
        Stream.of(RaidStep.values()).filter(step -> step != RaidStep.PINNED),
        Stream.of(RegroupStep.values()));
  }

  @ParameterizedTest
  @MethodSource("stepsOfRegrouping")
  void aDaemonThatDiesWhileEncodingAGroupAgainIsTakenUpByTheNext(Enum<?> fatal) throws IOException {
    raided();
    bench.cluster.delete(DIRECTORY + "f03");
    bench.cluster.append(DIRECTORY + "f05", new byte[] {1, 2, 3});
    Pipelines dying = bench.daemon(haltingAt(fatal));
    assertThatThrownBy(() -> settle(dying)).isInstanceOf(Halt.class);
    assertProtected("after the death at " + fatal);
    bench.cluster.abandonDrafts();
    bench.memberships.forgetEverything();

    Pipelines next = bench.daemon(StepListener.NONE);
    settle(next);

    assertRegroupedWithout("f03", "f05");
    assertThat(file(DIRECTORY + "f05").replication()).isEqualTo(3);
    Janitor.Swept swept = next.janitor().sweep();
    assertThat(swept.kept()).as("quarantined parity that cannot be purged").isZero();
    assertThat(bench.cluster.sweepDrafts()).as("drafts left").isZero();
  }

  @ParameterizedTest
  @EnumSource(UnraidStep.class)
  void aDaemonThatDiesWhileLettingAGroupGoIsTakenUpByTheNext(UnraidStep fatal) throws IOException {
    raided();
    GroupId group = onlyGroup();
    Pipelines dying = bench.daemon(haltingAt(fatal));
    assertThatThrownBy(
            () -> {
              dying.groupReconciler().unraidMembers(group, inodes.values());
              settle(dying);
              dying.janitor().sweep();
            })
        .isInstanceOf(Halt.class);
    assertProtected("after the death at " + fatal);

    Pipelines next = bench.daemon(StepListener.NONE);
    settle(next);
    next.janitor().sweep();

    assertThat(groups()).isEmpty();
    for (String path : inodes.keySet()) {
      assertThat(file(path).replication()).isEqualTo(3);
      assertThat(file(path).blocks()).allSatisfy(b -> assertThat(b.live()).hasSize(3));
      assertThat(bench.cluster.hintOf(inodes.get(path))).as("hint on %s", path).isEmpty();
    }
    assertThat(quarantined()).isEmpty();
    assertContents();
  }

  /** What may befall a member. */
  enum Fate {
    APPEND {
      @Override
      void of(String path, RaidBench bench) {
        bench.cluster.append(path, new byte[] {1, 2, 3});
      }
    },
    TRUNCATE {
      @Override
      void of(String path, RaidBench bench) {
        bench.cluster.truncate(path, 500);
      }
    },
    TRUNCATE_AND_APPEND_TO_THE_SAME_LENGTH {
      @Override
      void of(String path, RaidBench bench) {
        long length = bench.cluster.file(path).orElseThrow().length();
        bench.cluster.truncate(path, length - 100);
        bench.cluster.append(path, new byte[100]);
      }
    },
    OPEN {
      @Override
      void of(String path, RaidBench bench) {
        bench.cluster.setUnderConstruction(path, true);
      }
    },
    RENAME_AWAY {
      @Override
      void of(String path, RaidBench bench) {
        bench.cluster.rename(path, "/elsewhere");
      }
    },
    DELETE {
      @Override
      void of(String path, RaidBench bench) {
        bench.cluster.delete(path);
      }
    },
    DELETE_UNDER_A_SNAPSHOT {
      @Override
      void of(String path, RaidBench bench) {
        bench.cluster.snapshot(path);
        bench.cluster.delete(path);
      }
    },
    CONCAT_ONTO_ANOTHER {
      @Override
      void of(String path, RaidBench bench) {
        bench.cluster.concat(RaidBench.PATH, path);
      }
    },
    RAISE {
      @Override
      void of(String path, RaidBench bench) throws IOException {
        bench.cluster.setReplication(bench.cluster.file(path).orElseThrow().inode(), 5);
      }
    };

    abstract void of(String path, RaidBench bench) throws IOException;
  }

  static Stream<Arguments> everyStepWithEveryFate() {
    return Stream.of(RaidStep.values())
        .flatMap(step -> Stream.of(Fate.values()).map(fate -> Arguments.of(step, fate)));
  }

  @ParameterizedTest
  @MethodSource("everyStepWithEveryFate")
  void whateverBefallsAMemberAfterAnyStepAllOfThemStayProtected(RaidStep when, Fate fate)
      throws IOException {
    String path = DIRECTORY + "f04";
    boolean[] done = {false};
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == when && !done[0]) {
                done[0] = true;
                try {
                  fate.of(path, bench);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              }
            });

    raid(daemon);
    assertThat(done[0] || when.compareTo(RaidStep.MARKED) > 0).isTrue();
    settle(daemon);
    settle(daemon);

    assertThat(done[0]).as("%s was reached", when).isTrue();
    assertProtected("%s after %s".formatted(fate, when));
    long raidedFiles =
        inodes.values().stream()
            .filter(
                inode -> bench.cluster.file(inode).filter(f -> f.replication() == 1).isPresent())
            .count();
    assertThat(raidedFiles).as("others are raided all the same").isGreaterThanOrEqualTo(FILES - 1);
  }

  @Test
  void aGroupIsEncodedAgainWithoutADeletedMemberAndTheOldParityGoes() throws IOException {
    Pipelines daemon = raided();
    GroupId before = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");

    GroupOutcome first = daemon.groupReconciler().reconcile(before);
    assertThat(first.group()).isEqualTo(before.successor());
    assertThat(groups()).as("both, until the new one is audited").hasSize(2);
    settle(daemon);

    assertThat(onlyGroup()).isEqualTo(before.successor());
    assertRegroupedWithout("f03");
    assertThat(bench.memberships.groupOf(inodes.get(DIRECTORY + "f01")))
        .contains(before.successor());
    assertThat(bench.cluster.hintOf(inodes.get(DIRECTORY + "f01"))).contains(before.successor());
    assertThat(quarantined()).hasSize(1);
    daemon.janitor().sweep();
    assertThat(quarantined()).as("purged though its blocks have one replica").isEmpty();
  }

  @Test
  void theOldParityStaysWhileASnapshotHoldsBlocksOfADeletedMember() throws IOException {
    Pipelines daemon = raided();
    GroupId before = onlyGroup();
    bench.cluster.snapshot(DIRECTORY + "f03");
    bench.cluster.delete(DIRECTORY + "f03");

    settle(daemon);

    assertThat(groups()).containsExactlyInAnyOrder(before, before.successor());
    GroupOutcome outcome = daemon.groupReconciler().reconcile(before);
    RaidOutcome deleted = outcome.members().get(inodes.get(DIRECTORY + "f03"));
    assertThat(deleted.state()).isEqualTo(FileState.UNRAIDING);
    assertThat(deleted.reason()).contains(Reason.GONE);
    assertThat(outcome.members().get(inodes.get(DIRECTORY + "f01")).state())
        .isEqualTo(FileState.RAIDED);
  }

  @Test
  void whenAStripeCouldNotBearAnotherLossEverythingInItIsReplicatedFirst() throws IOException {
    raided();
    ParityFile parity = onlyParity();
    List<Long> inOneStripe =
        List.copyOf(parity.manifest().membersOf(parity.manifest().stripes().get(0)));
    for (long inode : inOneStripe.subList(0, 3)) {
      bench.cluster.delete(pathOf(inode));
    }

    assertThatThrownBy(() -> settle(bench.daemon(haltingAt(RegroupStep.PROTECTED))))
        .isInstanceOf(Halt.class);

    for (long inode : inOneStripe.subList(3, inOneStripe.size())) {
      assertThat(bench.cluster.file(inode).orElseThrow().replication()).isEqualTo(3);
    }
    settle(bench.daemon(StepListener.NONE));
    assertThat(members()).hasSize(FILES - 3);
    for (long inode : members()) {
      assertThat(bench.cluster.file(inode).orElseThrow().replication()).isEqualTo(1);
    }
  }

  @Test
  void lostBlocksOfMembersAreRepairedBeforeTheGroupIsEncodedAgain() throws IOException {
    Pipelines daemon = raided();
    GroupId group = onlyGroup();
    Block lost = file(DIRECTORY + "f01").blocks().get(0).block();
    bench.cluster.deleteReplica(lost.id(), bench.cluster.holders(lost.id()).iterator().next());
    bench.cluster.delete(DIRECTORY + "f03");

    GroupOutcome outcome = daemon.groupReconciler().reconcile(group);

    assertThat(groups()).containsExactly(group);
    assertThat(outcome.members().get(inodes.get(DIRECTORY + "f02")).detail()).contains("repaired");
  }

  @Test
  void aMemberThatAnOperatorUnraidsLeavesAndTheOthersStay() throws IOException {
    Pipelines daemon = raided();
    String path = DIRECTORY + "f07";

    GroupOutcome released =
        daemon.groupReconciler().unraidMembers(onlyGroup(), List.of(inodes.get(path)));
    assertThat(released.members().get(inodes.get(path)).state()).isEqualTo(FileState.UNRAIDING);
    assertThat(file(path).replication()).isEqualTo(3);
    settle(daemon);

    assertRegroupedWithout("f07");
    assertThat(bench.cluster.hintOf(inodes.get(path))).isEmpty();
    assertThat(bench.memberships.groupOf(inodes.get(path))).isEmpty();
  }

  @Test
  void whoIsUnraidedByASuccessorDoesNotComeBackThroughTheGroupBeforeIt() throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");
    daemon.groupReconciler().reconcile(first);
    assertThat(groups()).containsExactlyInAnyOrder(first, first.successor());
    long written = bench.cluster.parityBytesWritten();

    daemon.groupReconciler().unraidMembers(first.successor(), inodes.values());
    settle(daemon);

    assertThat(groups()).isEmpty();
    assertThat(bench.cluster.parityBytesWritten()).as("encoded again").isEqualTo(written);
    assertThat(file(DIRECTORY + "f07").replication()).isEqualTo(3);
  }

  @Test
  void whoIsUnraidedDoesNotComeBackThroughAGroupThatASnapshotKeeps() throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    bench.cluster.snapshot(DIRECTORY + "f03");
    bench.cluster.delete(DIRECTORY + "f03");
    settle(daemon);
    assertThat(groups()).containsExactlyInAnyOrder(first, first.successor());
    bench.cluster.delete(DIRECTORY + "f04");
    settle(daemon);
    GroupId second = first.successor().successor();
    assertThat(groups()).containsExactlyInAnyOrder(first, second);
    long written = bench.cluster.parityBytesWritten();

    daemon.groupReconciler().unraid(second);
    settle(daemon);

    assertThat(bench.cluster.parityBytesWritten()).as("encoded again").isEqualTo(written);
    assertThat(file(DIRECTORY + "f07").replication()).isEqualTo(3);
    assertThat(groups()).as("kept by the snapshot").isSubsetOf(first);
  }

  /** A group, its members noted for its successor, which is raided; a snapshot keeps the first. */
  private GroupId succeededUnderASnapshot(Pipelines daemon) throws IOException {
    GroupId first = onlyGroup();
    bench.cluster.snapshot(DIRECTORY + "f03");
    bench.cluster.delete(DIRECTORY + "f03");
    settle(daemon);
    assertThat(groups()).containsExactlyInAnyOrder(first, first.successor());
    return first;
  }

  @Test
  void oneMemberThatIsUnraidedLeavesTheOthersRaidedThoughASnapshotKeepsTheGroupBefore()
      throws IOException {
    Pipelines daemon = raided();
    GroupId first = succeededUnderASnapshot(daemon);
    Set<Long> others = new HashSet<>(inodes.values());
    others.removeAll(List.of(inodes.get(DIRECTORY + "f03"), inodes.get(DIRECTORY + "f07")));

    GroupOutcome released =
        daemon
            .groupReconciler()
            .unraidMembers(first.successor(), List.of(inodes.get(DIRECTORY + "f07")));
    assertThat(released.members().keySet()).doesNotContainAnyElementsOf(others);
    settle(daemon);

    assertThat(file(DIRECTORY + "f07").replication()).isEqualTo(3);
    assertRaided(others);
    assertProtected("after one was unraided");
  }

  private void assertRaided(Set<Long> files) {
    assertThat(files)
        .allSatisfy(
            inode ->
                assertThat(bench.cluster.file(inode).orElseThrow().replication())
                    .as("replication of inode %d", inode)
                    .isEqualTo(1));
  }

  @Test
  void membersThatWereRaidedAgainAreLeftInPeaceByTheGroupThatASnapshotKeeps() throws IOException {
    Pipelines daemon = raided();
    GroupId first = succeededUnderASnapshot(daemon);
    daemon.groupReconciler().unraid(first.successor());
    settle(daemon);
    assertThat(groups()).containsExactly(first);

    raid(daemon);
    settle(daemon);
    settle(daemon);

    Set<Long> others = new HashSet<>(inodes.values());
    others.remove(inodes.get(DIRECTORY + "f03"));
    assertRaided(others);
    GroupOutcome kept = daemon.groupReconciler().reconcile(first);
    assertThat(kept.members().keySet()).doesNotContainAnyElementsOf(others);
    assertThat(bench.memberships.groupOf(inodes.get(DIRECTORY + "f01")).orElseThrow().family())
        .isNotEqualTo(first.family());
  }

  /**
   * A member that left an old generation is raided in another group, so its blocks have one replica
   * for good. The old generation must not wait for more.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theGroupBeforeGoesThoughAMemberThatLeftItIsRaidedElsewhere(boolean snapshot)
      throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    String left = DIRECTORY + "f04"; // of two blocks, one of which an append leaves as it is
    if (snapshot) {
      bench.cluster.snapshot(DIRECTORY + "f03");
    }
    bench.cluster.delete(DIRECTORY + "f03");
    daemon.groupReconciler().reconcile(first);
    bench.cluster.append(left, new byte[] {1});
    contents.put(left, bench.cluster.contentOf(left));
    settle(daemon);
    assertThat(groups()).contains(first.successor().successor());
    List<Long> others = new ArrayList<>(List.of(inodes.get(left)));
    for (int i = 0; i < 8; i++) {
      byte[] bytes = new byte[3_000 + i];
      others.add(bench.cluster.createFile(DIRECTORY + "g" + i, RaidBench.BLOCK, bytes, 3));
    }
    daemon.groupRaider().raid(others, RaidBench.RS, 10, RaidProgress.NONE);
    settle(daemon);
    assertRaided(Set.copyOf(others));
    if (snapshot) {
      assertThat(groups()).as("the snapshot keeps the first one").contains(first);
      bench.cluster.deleteSnapshots();
    }

    settle(daemon);
    settle(daemon);

    assertThat(groups().stream().filter(group -> group.family() == first.family()))
        .containsExactly(first.successor().successor());
    assertRaided(Set.copyOf(others));
    GroupOutcome outcome = daemon.groupReconciler().reconcile(first.successor().successor());
    assertThat(outcome.isAt(FileState.RAIDED)).isTrue();
    assertProtected("after all");
  }

  /** While a snapshot keeps an old generation, only the newest parity of a file tells its state. */
  @Test
  void aGroupThatASnapshotKeepsSaysNothingOfMembersRaidedElsewhereAndWhyItStays()
      throws IOException {
    Pipelines daemon = raided();
    GroupId first = succeededUnderASnapshot(daemon);
    GroupOutcome kept = daemon.groupReconciler().reconcile(first);
    assertThat(kept.members().get(inodes.get(DIRECTORY + "f01")).detail())
        .contains("the parity of " + first + " stays: blk_");
  }

  @Test
  void aGroupThatIsUnraidedSaysNothingOfAMemberThatHasParityOfItsOwn() throws IOException {
    Pipelines daemon = raided();
    GroupId first = succeededUnderASnapshot(daemon);
    daemon.groupReconciler().unraid(first.successor());
    settle(daemon);
    long alone = inodes.get(DIRECTORY + "f04");
    daemon.raider().raid(alone, RaidBench.RS, RaidProgress.NONE);
    assertThat(bench.cluster.find(alone)).isPresent();

    GroupOutcome waits = daemon.groupReconciler().reconcile(first);
    assertThat(groups()).as("the snapshot keeps it").containsExactly(first);
    assertThat(waits.members()).isNotEmpty().doesNotContainKey(alone);

    bench.cluster.deleteSnapshots();
    GroupOutcome goes = daemon.groupReconciler().reconcile(first);
    assertThat(groups()).isEmpty();
    assertThat(goes.members()).isNotEmpty().doesNotContainKey(alone);
  }

  @Test
  void theOldestOfThreeGenerationsIsHandedOverThoughTheMiddleOneGoesFirst() throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");
    daemon.groupReconciler().reconcile(first);
    bench.cluster.delete(DIRECTORY + "f04");
    daemon.groupReconciler().reconcile(first.successor());
    GroupId third = first.successor().successor();
    assertThat(groups()).containsExactlyInAnyOrder(first, first.successor(), third);
    for (int round = 0; round < 3; round++) {
      bench.cluster.replicate();
      daemon.groupReconciler().reconcile(third);
    }

    daemon.groupReconciler().reconcile(first);
    settle(daemon);

    assertThat(onlyGroup()).isEqualTo(third);
    assertRegroupedWithout("f03", "f04");
  }

  @Test
  void aMemberThatASuccessorLeavesOutStaysInTheGroupBefore() throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");
    boolean[] done = {false};
    Pipelines meanwhile =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.ENCODED && !done[0]) {
                done[0] = true;
                bench.cluster.append(DIRECTORY + "f05", new byte[] {1});
              }
            });

    GroupOutcome outcome = meanwhile.groupReconciler().reconcile(first);

    RaidOutcome left = outcome.members().get(inodes.get(DIRECTORY + "f05"));
    assertThat(left.state()).isEqualTo(FileState.REDUCED);
    assertThat(left.parity().orElseThrow().manifest().members()).hasSize(FILES);
    assertThat(bench.memberships.groupOf(inodes.get(DIRECTORY + "f05"))).contains(first);
    settle(daemon);
    assertRegroupedWithout("f03", "f05");
    assertThat(file(DIRECTORY + "f05").replication()).isEqualTo(3);
  }

  @Test
  void aMemberAtItsQuotaIsNamedAndTheOthersOfAStripeAtRiskAreReplicatedAllTheSame()
      throws IOException {
    raided();
    ParityFile parity = onlyParity();
    // Those of one block first: an append to one of two leaves its full block as it was.
    List<Long> inOneStripe =
        parity.manifest().membersOf(parity.manifest().stripes().get(0)).stream()
            .sorted(Comparator.comparing(inode -> parity.manifest().blocksOf(inode).size()))
            .toList();
    inOneStripe.subList(0, 2).forEach(inode -> bench.cluster.delete(pathOf(inode)));
    bench.cluster.append(pathOf(inOneStripe.get(2)), new byte[] {1});
    List<Long> staying = inOneStripe.subList(3, inOneStripe.size());
    bench.cluster.setAtQuota(pathOf(inOneStripe.get(2)), true);
    bench.cluster.setAtQuota(pathOf(staying.get(0)), true);
    // Nothing can be encoded again while a block is lost.
    loseABlockOutside(parity, inOneStripe);
    List<Enum<?>> reached = new ArrayList<>();
    Pipelines daemon = bench.daemon((step, subject) -> reached.add(step));

    GroupOutcome outcome = daemon.groupReconciler().reconcile(onlyGroup());

    assertThat(outcome.members().get(inOneStripe.get(2)).reason()).contains(Reason.QUOTA_EXCEEDED);
    assertThat(outcome.members().get(staying.get(0)).reason()).contains(Reason.QUOTA_EXCEEDED);
    for (long inode : staying.subList(1, staying.size())) {
      assertThat(bench.cluster.file(inode).orElseThrow().replication()).isEqualTo(3);
      assertThat(outcome.members().get(inode).reason()).isEmpty();
    }
    assertThat(reached).as("not all are").doesNotContain(RegroupStep.PROTECTED);

    bench.cluster.setAtQuota(pathOf(inOneStripe.get(2)), false);
    bench.cluster.setAtQuota(pathOf(staying.get(0)), false);
    daemon.groupReconciler().reconcile(onlyGroup());
    assertThat(reached).contains(RegroupStep.PROTECTED);
  }

  private void loseABlockOutside(ParityFile parity, List<Long> stripe) {
    long other =
        parity.manifest().members().stream()
            .map(member -> member.inode())
            .filter(inode -> !stripe.contains(inode))
            .findFirst()
            .orElseThrow();
    long block = bench.cluster.file(other).orElseThrow().blocks().get(0).block().id();
    bench.cluster.deleteReplica(block, bench.cluster.holders(block).iterator().next());
  }

  @Test
  void aMemberAtItsQuotaIsNamedWhenItIsUnraided() throws IOException {
    Pipelines daemon = raided();
    String path = DIRECTORY + "f07";
    bench.cluster.setAtQuota(path, true);

    RaidOutcome alone =
        daemon
            .groupReconciler()
            .unraidMembers(onlyGroup(), List.of(inodes.get(path)))
            .members()
            .get(inodes.get(path));
    assertThat(alone.state()).isEqualTo(FileState.UNRAIDING);
    assertThat(alone.reason()).contains(Reason.QUOTA_EXCEEDED);

    Map<Long, RaidOutcome> all = daemon.groupReconciler().unraid(onlyGroup()).members();
    assertThat(all.get(inodes.get(path)).reason()).contains(Reason.QUOTA_EXCEEDED);
    assertThat(all.get(inodes.get(DIRECTORY + "f01")).reason()).isEmpty();
    assertThat(file(DIRECTORY + "f13").replication()).isEqualTo(3);
    settle(daemon);
    assertThat(onlyParity().phase()).isEqualTo(ParityPhase.UNRAIDING);

    bench.cluster.setAtQuota(path, false);
    settle(daemon);
    assertUnraided();
  }

  @Test
  void rotThatIsFoundWhileAGroupIsEncodedAgainIsReportedAndItsMemberStaysUnderTheOldParity()
      throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    String path = DIRECTORY + "f06";
    LocatedBlock block = file(path).blocks().get(0);
    bench.cluster.corrupt(block.block().id(), block.live().get(0).node());
    bench.cluster.delete(DIRECTORY + "f03");

    GroupOutcome outcome = daemon.groupReconciler().reconcile(first);

    assertThat(file(path).hasLostBlocks()).as("the NameNode knows now").isTrue();
    RaidOutcome left = outcome.members().get(inodes.get(path));
    assertThat(left.reason()).contains(Reason.REPLICA_UNPROVEN);
    assertThat(left.parity().orElseThrow().manifest().members()).hasSize(FILES);
    assertThat(outcome.group()).isEqualTo(first.successor());
    assertThat(outcome.members().get(inodes.get(DIRECTORY + "f01")).state())
        .isEqualTo(FileState.COMMITTED);
    settle(daemon);
    assertThat(groups()).as("kept for the repair").contains(first);
    assertThat(
            stripes(first).stream()
                .flatMap(stripe -> stripe.units().stream())
                .filter(unit -> unit.state() == UnitState.LOST))
        .as("what the old parity rebuilds")
        .hasSize(1);
  }

  @Test
  void aMemberThatCannotBeRepairedHoldsNoOtherBack() throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    ParityFile parity = onlyParity();
    List<Long> inOneStripe =
        List.copyOf(parity.manifest().membersOf(parity.manifest().stripes().get(0)));
    inOneStripe.subList(0, 3).forEach(inode -> bench.cluster.delete(pathOf(inode)));
    long lost = inOneStripe.get(3);
    Block block =
        parity.manifest().stripes().get(0).data().stream()
            .filter(unit -> parity.manifest().members().get(unit.member()).inode() == lost)
            .findFirst()
            .orElseThrow()
            .block();
    bench.cluster.deleteReplica(block.id(), bench.cluster.holders(block.id()).iterator().next());

    GroupOutcome outcome = daemon.groupReconciler().reconcile(first);

    assertThat(outcome.group()).isEqualTo(first.successor());
    RaidOutcome left = outcome.members().get(lost);
    assertThat(left.reason()).contains(Reason.MISSING_BLOCKS);
    assertThat(left.parity().orElseThrow().manifest().members()).hasSize(FILES);
    settle(daemon);
    assertThat(groups())
        .as("the old parity stays")
        .containsExactlyInAnyOrder(first, first.successor());
    Set<Long> others = new HashSet<>(inodes.values());
    others.removeAll(inOneStripe.subList(0, 4));
    assertRaided(others);
    assertThat(bench.cluster.find(first.successor().value()).orElseThrow().phase())
        .isEqualTo(ParityPhase.REDUCED);
  }

  @Test
  void aFileThatIsBeingEncodedInAGroupIsEncodedNeitherAloneNorInAnother() throws IOException {
    Pipelines[] daemon = {null};
    List<Throwable> turnedAway = new ArrayList<>();
    boolean[] done = {false};
    daemon[0] =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.ENCODED && !done[0]) {
                done[0] = true;
                turnedAway.add(catchThrowable(() -> raid(daemon[0])));
                turnedAway.add(catchThrowable(() -> raidAlone(daemon[0], "f05")));
              }
            });

    GroupOutcome outcome = raid(daemon[0]);

    assertThat(turnedAway).hasSize(2).allMatch(FileInWorkException.class::isInstance);
    assertThat(outcome.isAt(FileState.REDUCED)).isTrue();
    assertThat(groups()).hasSize(1);
    settle(daemon[0]);
    assertThat(raid(daemon[0]).members()).as("none is held any more").hasSize(FILES);
  }

  private RaidOutcome raidAlone(Pipelines daemon, String name) throws IOException {
    return daemon.raider().raid(inodes.get(DIRECTORY + name), RaidBench.RS, RaidProgress.NONE);
  }

  @Test
  void aFileOfAGroupIsNotRaidedAlone() throws IOException {
    Pipelines daemon = raided();
    bench.cluster.setReplication(inodes.get(DIRECTORY + "f05"), 3);

    assertThat(raidAlone(daemon, "f05").reason()).contains(Reason.ALREADY_RAIDED);
    assertThat(daemon.raider().foresee(inodes.get(DIRECTORY + "f05"), RaidBench.RS).toString())
        .contains("It has committed parity that it shares");
    assertThat(bench.cluster.find(inodes.get(DIRECTORY + "f05"))).isEmpty();
  }

  @Test
  void aFileOfAGroupIsNotRaidedAloneWhenTheNotesAreLost() throws IOException {
    Pipelines daemon = raided();
    bench.memberships.left(onlyGroup(), inodes.values());
    bench.cluster.setReplication(inodes.get(DIRECTORY + "f05"), 3);

    assertThat(raidAlone(daemon, "f05").reason()).contains(Reason.ALREADY_RAIDED);
    assertThat(bench.cluster.find(inodes.get(DIRECTORY + "f05"))).isEmpty();
  }

  @Test
  void aFileThatIsBeingEncodedAgainInItsGroupIsNotEncodedAlone() throws IOException {
    raided();
    bench.cluster.delete(DIRECTORY + "f03");
    Pipelines[] daemon = {null};
    List<Throwable> turnedAway = new ArrayList<>();
    daemon[0] =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.ENCODED) {
                turnedAway.add(catchThrowable(() -> raidAlone(daemon[0], "f05")));
              }
            });

    daemon[0].groupReconciler().reconcile(onlyGroup());

    assertThat(turnedAway).hasSize(1).allMatch(FileInWorkException.class::isInstance);
  }

  @Test
  void membersStayInTheirGroupWhileItsSuccessorIsNotCommitted() throws IOException {
    raided();
    GroupId first = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");
    Pipelines deposed =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.VERIFIED) {
                bench.fence =
                    () -> {
                      throw new IOException("deposed");
                    };
              }
            });

    assertThatThrownBy(() -> deposed.groupReconciler().reconcile(first)).hasMessage("deposed");

    assertThat(groups()).containsExactly(first);
    assertThat(bench.memberships.groupOf(inodes.get(DIRECTORY + "f01"))).contains(first);
  }

  @Test
  void aSuccessorThatNeverCameToBeIsForgottenForTheGroupBeforeIt() throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    long stranger = bench.inode;
    List<Long> noted = new ArrayList<>(inodes.values());
    noted.add(stranger);
    bench.memberships.joined(first.successor(), noted);

    GroupOutcome reconciled = daemon.groupReconciler().reconcile(first.successor());

    assertThat(reconciled.isAt(FileState.RAIDED)).as("%s", reconciled).isTrue();
    assertThat(bench.memberships.membersOf(first)).containsExactlyElementsOf(members());
    assertThat(bench.memberships.groupOf(stranger)).isEmpty();

    bench.memberships.joined(first.successor(), inodes.values());
    long leaving = inodes.get(DIRECTORY + "f07");
    assertThat(
            daemon.groupReconciler().unraidMembers(first.successor(), List.of(leaving)).members())
        .containsOnlyKeys(leaving);
    bench.memberships.joined(first.successor(), inodes.values());
    assertThat(daemon.groupReconciler().unraid(first.successor()).members()).hasSize(FILES);
  }

  @Test
  void aGroupOfWhichTooLittleIsLeftIsUnraided() throws IOException {
    Pipelines daemon = raided();
    for (String path : inodes.keySet()) {
      if (!path.endsWith("1")) {
        bench.cluster.delete(path);
      }
    }

    settle(daemon);

    assertThat(groups()).isEmpty();
    assertThat(file(DIRECTORY + "f01").replication()).isEqualTo(3);
    assertThat(file(DIRECTORY + "f01").blocks()).allSatisfy(b -> assertThat(b.live()).hasSize(3));
  }

  @Test
  void aGroupThatIsUnraidedAsAWholeIsNotEncodedAgainOnTheWay() throws IOException {
    Pipelines daemon = raided();
    long written = bench.cluster.parityBytesWritten();

    daemon.groupReconciler().unraid(onlyGroup());
    settle(daemon);

    assertUnraided();
    assertThat(bench.cluster.parityBytesWritten()).isEqualTo(written);
  }

  private void assertUnraided() throws IOException {
    assertThat(groups()).isEmpty();
    assertThat(quarantined()).hasSize(1);
    for (String path : inodes.keySet()) {
      assertThat(file(path).replication()).as(path).isEqualTo(3);
      assertThat(file(path).blocks()).allSatisfy(block -> assertThat(block.live()).hasSize(3));
      assertThat(bench.cluster.hintOf(inodes.get(path))).as(path).isEmpty();
    }
  }

  @Test
  void quarantinedParityOfAGroupIsPutBackWhenABlockIsInDangerAndReturnsByItself()
      throws IOException {
    Pipelines daemon = unraid();
    ParityFile kept = quarantined().get(0);
    String path = DIRECTORY + "f06";
    LocatedBlock endangered = file(path).blocks().get(0);
    Block block = endangered.block();
    bench.cluster.deleteReplica(block.id(), endangered.live().get(0).node());
    assertThat(daemon.quarantine().reviveWhenNeeded(kept)).as("two replicas are left").isEmpty();
    // What others do to other members costs the stripes their units, and no more.
    bench.cluster.append(DIRECTORY + "f02", new byte[] {1});
    bench.cluster.delete(DIRECTORY + "f09");

    bench.cluster.deleteReplica(block.id(), endangered.live().get(1).node());
    long id = daemon.quarantine().idOf(kept);
    assertThat(bench.memberships.groupOf(inodes.get(path)))
        .as("how the parity is found for a block that is reported")
        .contains(new GroupId(id));
    assertThat(daemon.quarantine().reviveWhenNeeded(id)).isPresent();

    assertThat(onlyParity().phase()).isEqualTo(ParityPhase.UNRAIDING);
    assertThat(
            stripes(onlyGroup()).stream()
                .flatMap(stripe -> stripe.units().stream())
                .filter(unit -> unit.located().filter(at -> at.block().equals(block)).isPresent()))
        .as("the block is a unit again")
        .hasSize(1);
    settle(daemon);
    assertThat(groups()).as("back in quarantine").isEmpty();
    assertThat(file(path).blocks().get(0).live()).hasSize(3);
    inodes
        .values()
        .forEach(
            inode ->
                bench
                    .cluster
                    .file(inode)
                    .ifPresent(file -> assertThat(file.replication()).isEqualTo(3)));
  }

  @Test
  void parityOfAGroupIsNotPutBackWhileAMemberIsUnderOtherParity() throws IOException {
    Pipelines daemon = unraid();
    ParityFile kept = quarantined().get(0);
    raid(daemon);
    settle(daemon);
    GroupId successor = onlyGroup();
    LocatedBlock block = file(DIRECTORY + "f01").blocks().get(0);
    bench.cluster.setReplication(inodes.get(DIRECTORY + "f01"), 3);
    bench.cluster.deleteReplica(block.block().id(), block.live().get(0).node());

    assertThat(daemon.quarantine().reviveWhenNeeded(kept)).isEmpty();
    assertThat(daemon.quarantine().restore(kept)).get().asString().contains("has other parity now");

    assertThat(groups()).containsExactly(successor);
  }

  @Test
  void parityOfAGroupThatIsRestoredByHandReducesItsMembersAgainWithoutEncoding()
      throws IOException {
    Pipelines daemon = unraid();
    long written = bench.cluster.parityBytesWritten();

    assertThat(daemon.quarantine().restore(quarantined().get(0))).isEmpty();
    settle(daemon);

    assertThat(daemon.groupReconciler().reconcile(onlyGroup()).isAt(FileState.RAIDED)).isTrue();
    assertThat(file(DIRECTORY + "f06").replication()).isEqualTo(1);
    assertThat(bench.cluster.parityBytesWritten()).isEqualTo(written);
  }

  @Test
  void parityOfAGroupThatDoesNotFitAMemberIsNotRestoredByHand() throws IOException {
    Pipelines daemon = unraid();
    bench.cluster.append(DIRECTORY + "f02", new byte[] {1});

    assertThat(daemon.quarantine().restore(quarantined().get(0)))
        .contains(
            "its member inode %d has other blocks than those it was made of"
                .formatted(inodes.get(DIRECTORY + "f02")));
    assertThat(groups()).isEmpty();
  }

  @Test
  void whoWasInAGroupIsForgottenWhenItsParityIsPurged() throws IOException {
    Pipelines daemon = unraid();

    assertThat(daemon.quarantine().purge(quarantined().get(0))).isEmpty();

    assertThat(bench.memberships.groupOf(inodes.get(DIRECTORY + "f06"))).isEmpty();
  }

  private Pipelines unraid() throws IOException {
    Pipelines daemon = raided();
    daemon.groupReconciler().unraid(onlyGroup());
    settle(daemon);
    assertUnraided();
    return daemon;
  }

  @Test
  void aFileThatCannotBeProvenIsLeftOutAndTheGroupMadeWithoutIt() throws IOException {
    String path = DIRECTORY + "f02";
    Block block = file(path).blocks().get(0).block();
    bench.cluster.corrupt(block.id(), file(path).blocks().get(0).live().get(0).node());
    bench.cluster.setPermission(DIRECTORY + "f08", "eve", "eve", 0600);

    GroupOutcome outcome = raid(bench.daemon(StepListener.NONE));

    assertThat(outcome.members().get(inodes.get(path)).reason()).contains(Reason.REPLICA_UNPROVEN);
    assertThat(outcome.members().get(inodes.get(DIRECTORY + "f08")).reason())
        .contains(Reason.NO_COMPANY);
    assertThat(members()).hasSize(FILES - 2).doesNotContain(inodes.get(path));
    assertThat(file(path).replication()).isEqualTo(3);
  }

  @Test
  void tooFewFilesAreLeftWithTheArithmetic() throws IOException {
    GroupOutcome outcome =
        bench
            .daemon(StepListener.NONE)
            .groupRaider()
            .raid(List.of(inodes.get(DIRECTORY + "f00")), RaidBench.RS, 10, RaidProgress.NONE);

    RaidOutcome left = outcome.members().get(inodes.get(DIRECTORY + "f00"));
    assertThat(left.reason()).contains(Reason.NO_COMPANY);
    assertThat(left.detail()).contains("occupy 3000 bytes and would occupy 4000");
    assertThat(bench.cluster.parityBytesWritten()).isZero();
    assertThat(groups()).isEmpty();
  }

  @Test
  void filesOfAGroupAreInNoSecondOne() throws IOException {
    Pipelines daemon = raided();
    bench.cluster.setReplication(inodes.get(DIRECTORY + "f00"), 3);

    GroupOutcome again = raid(daemon);

    assertThat(groups()).hasSize(1);
    assertThat(again.members().get(inodes.get(DIRECTORY + "f00")).reason())
        .contains(Reason.ALREADY_RAIDED);
  }

  /**
   * A daemon dies right after the commit of a group, and its notes are lost: until the group is
   * looked at, nothing tells that its members are in it.
   */
  @Test
  void aMemberThatWasRaidedAloneSinceTheCommitOfItsGroupLeavesIt() throws IOException {
    Pipelines dying = bench.daemon(haltingAt(RaidStep.COMMITTED));
    assertThatThrownBy(() -> raid(dying)).isInstanceOf(Halt.class);
    bench.memberships.forgetEverything();
    Pipelines next = bench.daemon(StepListener.NONE);
    long alone = inodes.get(DIRECTORY + "f04");
    next.raider().raid(alone, RaidBench.RS, RaidProgress.NONE);
    assertThat(bench.cluster.find(alone)).isPresent();
    bench.cluster.setReplication(alone, 3); // its user wants it so

    settle(next);
    next.fileReconciler().reconcile(alone);
    settle(next);

    assertThat(bench.cluster.file(alone).orElseThrow().replication()).isEqualTo(3);
    assertThat(members()).hasSize(FILES - 1).doesNotContain(alone);
    assertThat(bench.cluster.find(alone)).isPresent();
    assertThat(onlyParity().phase()).isEqualTo(ParityPhase.REDUCED);
    assertProtected("at the end");
  }

  /** The outcome of a raid replaces what the catalog knows of a file. */
  @Test
  void whatIsRaidedAlreadyIsAnsweredWithItsParity() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    long alone = inodes.get(DIRECTORY + "f04");
    assertThat(raidAlone(daemon, "f04").state()).isEqualTo(FileState.REDUCED);

    RaidOutcome inVain = raid(daemon).members().get(alone);

    assertThat(inVain.reason()).contains(Reason.ALREADY_RAIDED);
    assertThat(inVain.state()).isEqualTo(FileState.REDUCED);
    assertThat(inVain.parity()).isPresent();

    long member = inodes.get(DIRECTORY + "f00");
    assertThat(raidAlone(daemon, "f00").parity())
        .as("that of its group")
        .hasValueSatisfying(
            parity ->
                assertThat(parity.manifest().members()).anyMatch(each -> each.inode() == member));
    assertThat(raid(daemon).members().get(member).parity()).isPresent();
  }

  /** Somebody had moved the root away, and has moved it back. */
  @Test
  void membersThatWereRaisedWithoutTheirParityAreReducedAgainWhenItIsBack() throws IOException {
    Pipelines daemon = raided();
    for (long inode : inodes.values()) {
      bench.cluster.setReplication(inode, 3);
      bench.undone.add(inode);
    }
    bench.cluster.replicate();

    settle(daemon);

    assertThat(members()).hasSize(FILES);
    for (long inode : inodes.values()) {
      assertThat(bench.cluster.file(inode).orElseThrow().replication()).isEqualTo(1);
    }
    assertProtected("at the end");
  }

  @Test
  void aFileThatIsRaidedAloneIsInNoGroup() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    long alone = inodes.get(DIRECTORY + "f04");
    assertThat(raidAlone(daemon, "f04").state()).isEqualTo(FileState.REDUCED);
    bench.cluster.setReplication(alone, 3);
    bench.cluster.replicate();

    GroupOutcome outcome = raid(daemon);

    assertThat(outcome.members().get(alone).reason()).contains(Reason.ALREADY_RAIDED);
    assertThat(members()).doesNotContain(alone).hasSize(FILES - 1);
  }

  @Test
  void filesOfAGroupThatHasJustBeenCommittedAreInNoSecondOneEither() throws IOException {
    assertThatThrownBy(() -> raid(bench.daemon(haltingAt(RaidStep.COMMITTED))))
        .isInstanceOf(Halt.class);

    raid(bench.daemon(StepListener.NONE));

    assertThat(groups()).hasSize(1);
  }

  @Test
  void membersOfANewGroupAreWrittenDownBeforeItsCommit() throws IOException {
    List<Boolean> noted = new ArrayList<>();
    bench.fence =
        () -> noted.add(bench.memberships.groupOf(inodes.get(DIRECTORY + "f05")).isPresent());

    raid(bench.daemon(StepListener.NONE));

    assertThat(noted.get(0)).as("at the fence before the commit").isTrue();
  }

  /** A daemon may die before anybody is told of a group, and its notes be lost. */
  @Test
  void aGroupThatIsUnraidedDoesNotWaitForAMemberThatHasParityOfItsOwn() throws IOException {
    Pipelines daemon = raided();
    GroupId group = onlyGroup();
    long member = inodes.get(DIRECTORY + "f05");
    bench.memberships.left(group, inodes.values());
    bench.cluster.unhint(member, group);
    bench.cluster.setReplication(member, 3);
    assertThat(raidAlone(daemon, "f05").state()).isEqualTo(FileState.REDUCED);

    daemon.groupReconciler().unraid(group);
    settle(daemon);

    assertThat(bench.cluster.find(group.value())).isEmpty();
    assertThat(file(DIRECTORY + "f05").replication()).isEqualTo(1);
    assertThat(bench.cluster.find(member)).isPresent();
  }

  @Test
  void theOldParityIsNotUnraidedOnTheWordOfASuccessorThatIsNotAudited() throws IOException {
    raided();
    GroupId first = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");
    Pipelines dying = bench.daemon(haltingAt(RaidStep.COMMITTED));
    assertThatThrownBy(() -> dying.groupReconciler().reconcile(first)).isInstanceOf(Halt.class);

    Pipelines daemon = bench.daemon(StepListener.NONE);
    daemon.groupReconciler().reconcile(first.successor());
    assertThat(bench.cluster.find(first.successor().value()).orElseThrow().phase())
        .isEqualTo(ParityPhase.REDUCED);

    daemon.groupReconciler().unraid(first);

    assertThat(bench.cluster.find(first.value())).isPresent();
    assertThat(bench.cluster.find(first.successor().value())).isPresent();
  }

  @Test
  void membersAreWrittenDownForTheSuccessorOnceItIsCommitted() throws IOException {
    raided();
    GroupId first = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");
    Pipelines daemon = bench.daemon(haltingAt(RaidStep.COMMITTED));

    assertThatThrownBy(() -> daemon.groupReconciler().reconcile(first)).isInstanceOf(Halt.class);

    assertThat(bench.memberships.groupOf(inodes.get(DIRECTORY + "f05")))
        .contains(first.successor());
  }

  @Test
  void replicasThatAreOnTheirWayOutDoNotLetTheParityOfAGroupGo() throws IOException {
    Pipelines daemon = raided();
    bench.condemned.put(file(DIRECTORY + "f06").blocks().get(0).block().id(), 2);

    daemon.groupReconciler().unraid(onlyGroup());
    settle(daemon);
    assertThat(onlyParity().phase()).isEqualTo(ParityPhase.UNRAIDING);

    bench.condemned.clear();
    settle(daemon);
    assertUnraided();
  }

  @Test
  void replicasOfAMemberOfWhichANewNameNodeHasNotHeardAreAwaited() throws IOException {
    Pipelines daemon = raided();
    bench.condemned.put(file(DIRECTORY + "f06").blocks().get(0).block().id(), 3);
    bench.staleReplicas = 3;

    daemon.groupReconciler().unraid(onlyGroup());
    settle(daemon);
    Set<DataNode> holders = file(DIRECTORY + "f06").blocks().get(0).holders();
    assertThat(holders).hasSize(3);
    assertThat(daemon.reports().all()).contains(new AwaitedReports.Wait(bench.startedAt, holders));

    bench.condemned.clear();
    settle(daemon);
    assertUnraided();
    assertThat(daemon.reports().all()).isEmpty();
  }

  @Test
  void parityThatIsLostAfterItWasProvenKeepsTheReplicationOfAllMembersUp() throws IOException {
    raidWith(
        () -> {
          LocatedBlock unit = onlyParity().file().blocks().get(0);
          bench.cluster.deleteReplica(unit.block().id(), unit.live().get(0).node());
        });

    assertNothingIsReduced();
  }

  @Test
  void whenTheLastMemberChangesAfterTheCommitNoneIsReduced() throws IOException {
    raidWith(() -> bench.cluster.append(DIRECTORY + "f13", new byte[] {1}));

    assertNothingIsReduced();
  }

  @Test
  void aMemberWhoseReplicationAUserChangesAfterTheCommitIsNotLowered() throws IOException {
    String changed = DIRECTORY + "f04";

    raidWith(() -> bench.cluster.setReplication(inodes.get(changed), 5));

    assertThat(file(changed).replication()).isEqualTo(5);
    assertThat(file(DIRECTORY + "f05").replication()).isEqualTo(1);
  }

  @Test
  void aDaemonThatIsDeposedAfterItsCommitReducesNoMember() {
    assertThatThrownBy(
            () ->
                raidWith(
                    () ->
                        bench.fence =
                            () -> {
                              throw new IOException("deposed");
                            }))
        .hasMessage("deposed");

    assertNothingIsReduced();
  }

  @Test
  void aDeposedDaemonCommitsNoGroup() throws IOException {
    bench.fence =
        () -> {
          throw new IOException("deposed");
        };

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE))).hasMessage("deposed");

    assertThat(groups()).isEmpty();
  }

  @Test
  void aReductionWhoseAnswerWasLostIsCountedUntilItIsAudited() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    inodes.values().stream().skip(1).findFirst().ifPresent(bench.cluster::loseNextAnswer);

    assertThatThrownBy(() -> raid(daemon)).hasMessageContaining("was lost");
    assertThat(daemon.unaudited().total()).isPositive();

    settle(daemon);
    assertThat(daemon.unaudited().total()).isZero();
  }

  @Test
  void parityThatVanishesWhileMembersAreReducedRaisesThemAgain() {
    int[] passed = {0};
    bench.fence =
        () -> {
          if (++passed[0] == 2) {
            bench.cluster.quarantine(onlyGroup().value());
          }
        };

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE)))
        .hasMessageContaining("vanished while");

    assertNothingIsReduced();
  }

  @Test
  void aDaemonThatWasDeposedBeforeItsReductionArrivedRaisesTheMemberAgain() {
    bench.cluster.fencedBy(() -> bench.fence.pass());
    bench.fence =
        () -> {
          for (String path : inodes.keySet()) {
            if (bench.cluster.file(path).orElseThrow().replication() == 1) {
              bench.cluster.quarantine(onlyGroup().value());
              throw new DeposedException("deposed");
            }
          }
        };

    assertThatThrownBy(() -> raid(bench.daemon(StepListener.NONE)))
        .isInstanceOf(DeposedException.class);

    assertNothingIsReduced();
  }

  @Test
  void theOldParityStaysUntilTheSuccessorIsAudited() throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");
    daemon.groupReconciler().reconcile(first); // encodes the successor
    daemon.groupReconciler().reconcile(first); // reduces under it

    assertThat(groups()).containsExactlyInAnyOrder(first, first.successor());
    assertThat(quarantined()).isEmpty();
  }

  @Test
  void aDaemonThatIsDeposedBeforeItHandsOverKeepsTheOldParity() throws IOException {
    Pipelines daemon = raided();
    GroupId first = onlyGroup();
    bench.cluster.delete(DIRECTORY + "f03");
    daemon.groupReconciler().reconcile(first); // encodes the successor
    daemon.groupReconciler().reconcile(first); // reduces under it
    bench.cluster.replicate();
    depose();

    assertThatThrownBy(() -> daemon.groupReconciler().reconcile(first)).hasMessage("deposed");

    assertThat(groups()).containsExactlyInAnyOrder(first, first.successor());
    assertThat(quarantined()).isEmpty();

    bench.fence = () -> {};
    daemon.groupReconciler().reconcile(first);
    assertThat(groups()).containsExactly(first.successor());
  }

  @Test
  void aDeposedDaemonDoesNotBeginToLetAGroupGo() throws IOException {
    Pipelines daemon = raided();
    depose();

    assertThatThrownBy(() -> daemon.groupReconciler().unraid(onlyGroup())).hasMessage("deposed");

    assertThat(onlyParity().phase()).isEqualTo(ParityPhase.REDUCED);
  }

  @Test
  void aDaemonThatIsDeposedOnceAllReplicasAreBackLetsNoParityOfAGroupGo() throws IOException {
    raided();
    GroupId group = onlyGroup();
    Pipelines deposed =
        bench.daemon(
            (step, subject) -> {
              if (step == UnraidStep.RESTORED) {
                depose();
              }
            });

    assertThatThrownBy(() -> deposed.groupReconciler().unraid(group)).hasMessage("deposed");

    assertThat(groups()).containsExactly(group);
    assertThat(quarantined()).isEmpty();
  }

  private void depose() {
    bench.fence =
        () -> {
          throw new IOException("deposed");
        };
  }

  private interface Meanwhile {
    void happens() throws IOException;
  }

  /** Raids the group; something happens right after its parity was committed. */
  private void raidWith(Meanwhile meanwhile) throws IOException {
    raid(
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.COMMITTED) {
                try {
                  meanwhile.happens();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            }));
  }

  private void assertNothingIsReduced() {
    for (String path : inodes.keySet()) {
      assertThat(file(path).replication()).as(path).isEqualTo(3);
    }
  }

  private void assertRegroupedWithout(String... names) throws IOException {
    Set<Long> out = new HashSet<>();
    for (String name : names) {
      out.add(inodes.get(DIRECTORY + name));
    }
    List<Long> expected =
        inodes.values().stream().filter(inode -> !out.contains(inode)).sorted().toList();
    assertThat(members()).isEqualTo(expected);
    assertThat(onlyParity().phase()).isEqualTo(ParityPhase.REDUCED);
    for (long inode : expected) {
      assertThat(bench.cluster.file(inode).orElseThrow().replication()).isEqualTo(1);
    }
    assertProtected("at the end");
  }

  private void assertContents() {
    contents.forEach(
        (path, bytes) -> assertThat(bench.cluster.contentOf(path)).as(path).isEqualTo(bytes));
  }

  private String pathOf(long inode) {
    return inodes.entrySet().stream()
        .filter(entry -> entry.getValue() == inode)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private List<LocatedStripe> stripes(GroupId group) throws IOException {
    ParityFile parity = bench.cluster.find(group.value()).orElseThrow();
    return new StripeLocator(Codecs::parse)
        .locate(parity, GroupMembers.lookUp(bench.cluster, parity).living());
  }

  private List<ParityFile> quarantined() throws IOException {
    List<ParityFile> found = new ArrayList<>();
    bench.cluster.forEachQuarantined(found::add);
    return found;
  }

  /**
   * Invariant 1: every block of every file, the adopter's too, has all its replicas, or is a live
   * unit of a committed stripe that bears at least one further loss.
   */
  private void assertProtected(String when) throws IOException {
    Set<Long> covered = new HashSet<>();
    for (GroupId group : groups()) {
      for (LocatedStripe stripe : stripes(group)) {
        var gone =
            io.hdfsraid.erasurecode.UnitSet.of(
                stripe.units().stream()
                    .filter(
                        unit -> unit.state() == UnitState.CHANGED || unit.state() == UnitState.LOST)
                    .mapToInt(unit -> unit.unit()));
        if (stripe.codec().furtherLosses(gone) >= 1) {
          stripe.units().stream()
              .filter(unit -> unit.state() == UnitState.LIVE)
              .forEach(unit -> covered.add(unit.located().orElseThrow().block().id()));
        }
      }
    }
    List<String> paths = new ArrayList<>(inodes.keySet());
    paths.addAll(List.of(RaidBench.PATH, "/elsewhere"));
    for (String path : paths) {
      Optional<LocatedFile> file = bench.cluster.file(path);
      if (file.isPresent()) {
        for (var block : file.get().blocks()) {
          if (block.live().size() < 3) {
            assertThat(covered)
                .as("%s of %s, %d replicas, %s", block.block(), path, block.live().size(), when)
                .contains(block.block().id());
          }
        }
      }
    }
  }
}
