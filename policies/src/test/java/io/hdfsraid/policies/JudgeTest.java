// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.ConditionResult.Answer;
import io.hdfsraid.policies.Explanation.Answered;
import io.hdfsraid.policies.Explanation.Asked;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Verdict.Raid;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.window.TimeWindows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final Instant NOW = Instant.parse("2030-06-01T00:00:00Z");
  private static final long BLOCK = 128L << 20;
  private static final AccessTracking YEARS = AccessTracking.since(daysAgo(1000));

  /** The parity of a code with 10 data and 4 parity units. */
  private static final ParityEstimate RS_10_4 =
      (codec, length, blockSize) -> {
        long blocks = (length + blockSize - 1) / blockSize;
        return (blocks + 9) / 10 * 4 * Math.min(length, blockSize);
      };

  private static final Policy WAREHOUSE =
      new Policy(
          "warehouse",
          List.of(PathGlob.of("/warehouse")),
          List.of(PathGlob.of("/warehouse/staging")),
          Duration.ofDays(90),
          Duration.ofDays(7),
          1000,
          new Protection("rs-10-4", 1, 1),
          Optional.empty());

  private static final FileFacts COLD = file("/warehouse/f", 10 * BLOCK);

  private static FileFacts file(String path, long length) {
    return FileFacts.of(path, 17, length, BLOCK, 3, daysAgo(400)).withAccess(daysAgo(91));
  }

  private static Instant daysAgo(int days) {
    return NOW.minus(Duration.ofDays(days));
  }

  private static Judge judge(Policy... policies) {
    return new Judge(
        Policies.of(policies), "/parity-root", RS_10_4, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static Verdict verdict(FileFacts file) {
    return judge(WAREHOUSE).verdict(file, YEARS);
  }

  private static void assertLeft(Verdict verdict, Reason reason, String detail) {
    assertThat(verdict.whyNot()).contains(reason);
    assertThat(verdict.sentence()).startsWith(reason.sentence()).contains(detail);
  }

  @Test
  void aColdFileIsRaidedAndTheSavingIsKnown() {
    assertThat(verdict(COLD)).isEqualTo(new Raid(WAREHOUSE, new Saving(30 * BLOCK, 14 * BLOCK)));
    assertThat(verdict(COLD).whyNot()).isEmpty();
    assertThat(verdict(COLD).decidedBy()).contains(WAREHOUSE);
  }

  @Test
  void aFileUsedWithinColdAfterIsStillWarmUntilItIsNot() {
    Verdict warm = verdict(COLD.withAccess(daysAgo(90).plusSeconds(1)));

    assertLeft(warm, Reason.STILL_WARM, "coldAfter is 90d");
    assertThat(warm.changesAt()).contains(NOW.plusSeconds(1));
    assertThat(verdict(COLD.withAccess(daysAgo(90))).whyNot()).isEmpty();
  }

  @Test
  void writingIsUseToo() {
    FileFacts written = FileFacts.of("/warehouse/f", 17, 10 * BLOCK, BLOCK, 3, daysAgo(30));

    assertLeft(verdict(written), Reason.STILL_WARM, "");
    assertLeft(verdict(written.withAccess(daysAgo(300))), Reason.STILL_WARM, "");
  }

  @Test
  void anAccessInTheFutureIsNotCold() {
    assertLeft(verdict(COLD.withAccess(NOW.plusSeconds(60))), Reason.STILL_WARM, "");
  }

  @Test
  void aFileIsNotColdAsLongAsNobodyHasWatchedForColdAfter() {
    Judge judge = judge(WAREHOUSE);
    Verdict early = judge.verdict(COLD, AccessTracking.since(daysAgo(89)));

    assertLeft(early, Reason.INSUFFICIENT_HISTORY, "recorded since " + daysAgo(89));
    assertThat(early.changesAt()).contains(NOW.plus(Duration.ofDays(1)));
    assertLeft(
        judge.verdict(COLD, AccessTracking.NONE),
        Reason.INSUFFICIENT_HISTORY,
        "Nothing records accesses");
    assertThat(judge.verdict(COLD, AccessTracking.since(daysAgo(90))).whyNot()).isEmpty();
  }

  @Test
  void aKnownAccessSaysMoreThanThatHistoryIsShort() {
    assertLeft(
        judge(WAREHOUSE).verdict(COLD.withAccess(daysAgo(1)), AccessTracking.NONE),
        Reason.STILL_WARM,
        "");
  }

  @Test
  void aPolicyThatTakesFilesInUseNeedsNoHistory() {
    Policy atOnce = withTimes("at once", Duration.ZERO, Duration.ZERO);
    FileFacts hot = FileFacts.of("/warehouse/f", 17, 10 * BLOCK, BLOCK, 3, NOW).withAccess(NOW);

    assertThat(judge(atOnce).verdict(hot, AccessTracking.NONE).whyNot()).isEmpty();
  }

  private static Policy withTimes(String name, Duration coldAfter, Duration minAge) {
    return new Policy(
        name,
        WAREHOUSE.paths(),
        List.of(),
        coldAfter,
        minAge,
        0,
        WAREHOUSE.protection(),
        Optional.empty());
  }

  @Test
  void aWarmFileIsLeftEvenWhenALaterPolicyWouldTakeIt() {
    Policy later = withTimes("later", Duration.ofDays(1), Duration.ZERO);
    Verdict verdict = judge(WAREHOUSE, later).verdict(COLD.withAccess(daysAgo(30)), YEARS);

    assertLeft(verdict, Reason.STILL_WARM, "");
    assertThat(verdict.decidedBy()).contains(WAREHOUSE);
  }

  @Test
  void whatOnePolicyExcludesALaterOneMayTake() {
    Policy later = withTimes("later", Duration.ofDays(1), Duration.ZERO);
    FileFacts staged = file("/warehouse/staging/f", 10 * BLOCK);

    assertThat(judge(WAREHOUSE, later).verdict(staged, YEARS).decidedBy()).contains(later);
    assertLeft(judge(WAREHOUSE).verdict(staged, YEARS), Reason.NO_POLICY, "");
  }

  @Test
  void aYoungFileIsLeftUntilItIsOldEnough() {
    FileFacts young = FileFacts.of("/warehouse/f", 17, 10 * BLOCK, BLOCK, 3, daysAgo(6));

    Verdict verdict = verdict(young);
    assertLeft(verdict, Reason.TOO_YOUNG, "minAge is 7d");
    assertThat(verdict.changesAt()).contains(NOW.plus(Duration.ofDays(1)));
  }

  @Test
  void eachPropertyOfAFileThatForbidsRaidingHasItsReason() {
    assertLeft(verdict(file("/elsewhere/f", 10 * BLOCK)), Reason.NO_POLICY, "Policies asked: 1.");
    assertLeft(verdict(file("/warehouse/f", 0)), Reason.EMPTY, "");
    assertLeft(verdict(file("/warehouse/f", 999)), Reason.TOO_SMALL, "minSize is 1000");
    assertLeft(verdict(COLD.with(Trait.STRIPED)), Reason.STRIPED, "");
    assertLeft(verdict(COLD.with(Trait.UNDER_CONSTRUCTION)), Reason.UNDER_CONSTRUCTION, "");
    FileFacts single = FileFacts.of("/warehouse/f", 17, 10 * BLOCK, BLOCK, 1, daysAgo(400));
    assertLeft(verdict(single), Reason.REPLICATION_AT_TARGET, "It has replication 1");
  }

  @Test
  void aFileOfAnEncryptionZoneIsJudgedAsAnyOther() {
    assertThat(verdict(COLD.with(Trait.ENCRYPTED))).isInstanceOf(Verdict.Raid.class);
  }

  @Test
  void aRaidedFileIsNotRaidedAgainWhateverThePoliciesSayNow() {
    assertLeft(verdict(COLD.withParity(3)), Reason.ALREADY_RAIDED, "");
    assertLeft(
        verdict(COLD.withParity(1)), Reason.ALREADY_RAIDED, "given replication 1 and has 3 now");
    assertLeft(verdict(file("/elsewhere", 10 * BLOCK).withParity(3)), Reason.ALREADY_RAIDED, "");
  }

  @Test
  void whatAnOperatorUnraidedNoPolicyTakesAgainUntilHeRaidsItByHand() {
    FileFacts unraided = COLD.with(Trait.UNRAIDED_BY_OPERATOR);

    assertLeft(verdict(unraided), Reason.UNRAIDED_BY_OPERATOR, "");
    assertThat(judge(WAREHOUSE).verdictOnRequest(unraided, WAREHOUSE.protection()).whyNot())
        .isEmpty();
    assertThat(verdict(unraided.without(Trait.UNRAIDED_BY_OPERATOR)).whyNot()).isEmpty();
    assertLeft(verdict(unraided.withParity(1)), Reason.ALREADY_RAIDED, "");
  }

  @Test
  void parityMustCostLessThanTheReplicasItReplaces() {
    assertLeft(verdict(file("/warehouse/f", BLOCK)), Reason.WOULD_NOT_SAVE, "");
    assertLeft(verdict(file("/warehouse/f", 2 * BLOCK)), Reason.WOULD_NOT_SAVE, "10 %");
    assertThat(verdict(file("/warehouse/f", 3 * BLOCK)).whyNot()).isEmpty();
  }

  @Test
  void aFileThatDoesNotPayAloneIsRaidedTogetherWithOthersWhereThatWould() {
    ParityEstimate sharing =
        new ParityEstimate() {
          @Override
          public long parityBytes(String codec, long length, long blockSize) {
            return RS_10_4.parityBytes(codec, length, blockSize);
          }

          @Override
          public OptionalLong shareOfGroup(String codec, long length, int blocks) {
            return blocks < 10 ? OptionalLong.of(length * 4 / 10) : OptionalLong.empty();
          }
        };
    Judge judge =
        new Judge(
            Policies.of(WAREHOUSE), "/parity-root", sharing, Clock.fixed(NOW, ZoneOffset.UTC));

    Verdict together = judge.verdict(file("/warehouse/f", BLOCK), YEARS);
    assertThat(together)
        .isEqualTo(
            new Verdict.RaidTogether(WAREHOUSE, new Saving(3 * BLOCK, BLOCK + BLOCK * 4 / 10)));
    assertThat(together.whyNot()).isEmpty();
    assertThat(together.worth()).contains(new Saving(3 * BLOCK, BLOCK + BLOCK * 4 / 10));
    assertThat(together.sentence()).contains("together with others of its directory");
    assertThat(judge.verdict(file("/warehouse/f", 3 * BLOCK), YEARS))
        .as("pays alone")
        .isInstanceOf(Raid.class);
    assertLeft(
        judge.verdict(file("/warehouse/f", BLOCK).inSnapshot(3), YEARS),
        Reason.IN_SNAPSHOT,
        "snapshot");
    assertLeft(
        judge.verdict(file("/warehouse/f", BLOCK).withAccess(daysAgo(1)), YEARS),
        Reason.STILL_WARM,
        "");
  }

  @Test
  void parityIsCountedWithItsReplicas() {
    Policy twice =
        new Policy(
            "twice",
            WAREHOUSE.paths(),
            List.of(),
            Duration.ZERO,
            Duration.ZERO,
            0,
            new Protection("rs-10-4", 2, 2),
            Optional.empty());

    Verdict verdict = judge(twice).verdict(file("/warehouse/f", 100 * BLOCK), YEARS);
    assertLeft(verdict, Reason.WOULD_NOT_SAVE, "would occupy " + 280 * BLOCK);
  }

  @Test
  void replicasThatASnapshotKeepsAreNoSaving() {
    assertLeft(
        verdict(COLD.inSnapshot(3)), Reason.IN_SNAPSHOT, "A snapshot keeps 3 replicas of it;");
    assertThat(verdict(COLD.inSnapshot(1)).whyNot()).isEmpty();
  }

  @Test
  void theBuiltInExcludesHoldForEveryPolicy() {
    Policy everything =
        new Policy(
            "everything",
            List.of(PathGlob.of("/")),
            List.of(),
            Duration.ZERO,
            Duration.ZERO,
            0,
            WAREHOUSE.protection(),
            Optional.empty());
    Stream.of(
            "/tmp/f",
            "/user/u/.Trash/Current/f",
            "/out/_temporary/0/f",
            "/user/u/.staging/job/f",
            "/warehouse/t/.hive-staging_hive_2030/f",
            "/.raid/parity/abc/1",
            "/parity-root/parity/abc/1",
            "/hbase/WALs/rs/f",
            "/hbase/oldWALs/f",
            "/hbase/MasterProcWALs/f",
            "/hbase/data/hbase/meta/1/f",
            "/hbase/data/default/t/r/recovered.edits/5",
            "/accumulo/wal/h/f",
            "/accumulo/tables/+r/root/f",
            "/accumulo/tables/!0/f")
        .forEach(
            path ->
                assertThat(judge(everything).verdict(file(path, 10 * BLOCK), YEARS).whyNot())
                    .as(path)
                    .contains(Reason.EXCLUDED));
    Stream.of("/tmpfile", "/hbase/data/default/t/r/cf/f", "/accumulo/tables/1/f", "/u/Trash/f")
        .forEach(
            path ->
                assertThat(judge(everything).verdict(file(path, 10 * BLOCK), YEARS).whyNot())
                    .as(path)
                    .isEmpty());
  }

  @Test
  void ourOwnParityIsNeverACandidateHoweverThePoliciesAreWritten() {
    Policies reckless =
        new Policies(List.of(Policy.onRequest("/", WAREHOUSE.protection())), List.of(), 0);
    Judge judge = new Judge(reckless, "/parity-root", RS_10_4, Clock.fixed(NOW, ZoneOffset.UTC));
    FileFacts own = file("/parity-root/parity/abc/1", 10 * BLOCK);

    assertThat(judge.verdict(file("/any", 10 * BLOCK), YEARS).whyNot()).isEmpty();
    assertLeft(judge.verdict(own, YEARS), Reason.EXCLUDED, "/parity-root");
    assertLeft(judge.verdictOnRequest(own, WAREHOUSE.protection()), Reason.EXCLUDED, "");
  }

  @Test
  void aRequestOverridesTimeAndPathsButNotSense() {
    Judge judge = judge();
    Protection protection = WAREHOUSE.protection();
    FileFacts hot = FileFacts.of("/tmp/a*b", 17, 10 * BLOCK, BLOCK, 3, NOW);

    assertThat(judge.verdictOnRequest(hot, protection).whyNot()).isEmpty();
    assertLeft(
        judge.verdictOnRequest(hot.with(Trait.UNDER_CONSTRUCTION), protection),
        Reason.UNDER_CONSTRUCTION,
        "");
    assertLeft(judge.verdictOnRequest(file("/a", BLOCK), protection), Reason.WOULD_NOT_SAVE, "");
    assertLeft(judge.verdictOnRequest(hot.withParity(1), protection), Reason.ALREADY_RAIDED, "");
  }

  @Test
  void whoMakesRoomInADirectorySpeaksAboutFilesThereAndLeavesOthersToTheNext() {
    Policy room =
        withTimes("room", Duration.ZERO, Duration.ZERO)
            .running(
                new RunSettings(
                    Optional.empty(),
                    RunSettings.Misfire.SKIP,
                    ZoneOffset.UTC,
                    TimeWindows.NONE,
                    Optional.of(new CapacityRule(80, 70, Optional.of("/warehouse/team"))),
                    Budget.NONE));
    Judge judge = judge(room, WAREHOUSE);

    assertThat(decidedBy(judge, "/warehouse/team/f")).contains("room");
    assertThat(decidedBy(judge, "/warehouse/teams/f")).contains("warehouse");
    assertThat(judge.explain(COLD, AccessTracking.since(daysAgo(1000))).asked())
        .contains(
            new Asked(
                "room",
                false,
                "it makes room in the quota of /warehouse/team, and the file takes none there"));
  }

  private static Optional<String> decidedBy(Judge judge, String path) {
    FileFacts file =
        FileFacts.of(path, 1, COLD.length(), COLD.blockSize(), COLD.replication(), COLD.modified());
    return judge.verdict(file, AccessTracking.since(daysAgo(1000))).decidedBy().map(Policy::name);
  }

  @Test
  void theExplanationTellsWhoWasAskedAndWhatTheySaid() {
    Policy other =
        new Policy(
            "other",
            List.of(PathGlob.of("/other/**")),
            List.of(),
            Duration.ZERO,
            Duration.ZERO,
            0,
            WAREHOUSE.protection(),
            Optional.empty());
    Policy alice =
        withTimes("alice", Duration.ZERO, Duration.ZERO)
            .when(new Condition.OwnedBy(Set.of("alice")), new Condition.Encrypted(false));

    assertThat(
            judge(other, alice, WAREHOUSE, withTimes("never asked", Duration.ZERO, Duration.ZERO))
                .explain(COLD.withOwner("bob", "staff"), AccessTracking.since(daysAgo(89)))
                .asked())
        .containsExactly(
            new Asked("excludes", false, "no pattern matches"),
            new Asked("other", false, "none of its paths matches"),
            new Asked(
                "alice",
                false,
                "It is owned by bob.",
                List.of(
                    answered("when.owners", "alice", Answer.NO, "It is owned by bob."),
                    answered(
                        "when.encrypted", "false", Answer.YES, "It is in no encryption zone."))),
            new Asked(
                "warehouse",
                true,
                "its path /warehouse matches",
                List.of(
                    answered(
                        "minSize", "1000", Answer.YES, "It has 1342177280 bytes, minSize is 1000."),
                    answered(
                        "minAge",
                        "7d",
                        Answer.YES,
                        "It was changed at %s, minAge is 7d.".formatted(daysAgo(400))),
                    new Answered(
                        "coldAfter",
                        "90d",
                        Answer.UNKNOWN,
                        "Accesses are recorded since %s, coldAfter is 90d.".formatted(daysAgo(89)),
                        Optional.of(NOW.plus(Duration.ofDays(1)))))));
  }

  private static Answered answered(String key, String wanted, Answer answer, String detail) {
    return new Answered(key, wanted, answer, detail, Optional.empty());
  }

  @Test
  void theExplanationSaysWhichExcludesAreBuiltIn() {
    Policies policies =
        new Policies(List.of(), List.of(PathGlob.of("/mine/**"), PathGlob.of("/tmp/**")), 10);
    Judge judge = new Judge(policies, "/parity-root", RS_10_4, Clock.fixed(NOW, ZoneOffset.UTC));

    assertThat(judge.explain(file("/tmp/f", 1), YEARS).asked())
        .containsExactly(new Asked("excludes", true, "matches the built-in /tmp/**"));
    assertThat(judge.explain(file("/mine/f", 1), YEARS).asked())
        .containsExactly(new Asked("excludes", true, "matches /mine/**"));
  }

  @Test
  void theExplanationAndTheLookUpByPathAgreeOnThePolicy() {
    Policy later = withTimes("later", Duration.ofDays(1), Duration.ZERO);
    Policies policies = Policies.of(WAREHOUSE, later);

    for (String path : List.of("/warehouse/f", "/warehouse/staging/f", "/tmp/f", "/x")) {
      Optional<Policy> decided =
          judge(WAREHOUSE, later).verdict(file(path, 10 * BLOCK), YEARS).decidedBy();
      assertThat(policies.raidingAt(path)).as(path).isEqualTo(decided);
    }
  }

  @Test
  void coldestFirstThenByInode() {
    Random random = new Random(4711);
    List<FileFacts> files =
        IntStream.range(0, 500)
            .mapToObj(
                inode ->
                    FileFacts.of("/f" + inode, 500 - inode, 1, 1, 3, daysAgo(400))
                        .withAccess(daysAgo(random.nextInt(500))))
            .sorted(FileFacts.COLDEST_FIRST)
            .toList();

    for (int i = 1; i < files.size(); i++) {
      FileFacts colder = files.get(i - 1);
      FileFacts warmer = files.get(i);
      assertThat(colder.lastUsed()).isBeforeOrEqualTo(warmer.lastUsed());
      if (colder.lastUsed().equals(warmer.lastUsed())) {
        assertThat(colder.inodeId()).isLessThan(warmer.inodeId());
      }
    }
  }

  @Test
  void everyReasonIsASentence() {
    for (Reason reason : Reason.values()) {
      assertThat(reason.sentence()).as(reason.name()).matches("[A-Z].*\\.");
    }
  }
}
