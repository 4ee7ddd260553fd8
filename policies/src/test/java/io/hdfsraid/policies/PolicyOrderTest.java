// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Condition.Accesses;
import io.hdfsraid.policies.Condition.Age;
import io.hdfsraid.policies.Condition.Bound;
import io.hdfsraid.policies.Condition.ColdFor;
import io.hdfsraid.policies.Condition.OwnedBy;
import io.hdfsraid.policies.Condition.Size;
import io.hdfsraid.policies.Condition.Snapshotted;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Verdict.Unraid;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which of several policies speaks about a file, what it says, and when that changes. */
class PolicyOrderTest {
  private static final Instant NOW = Instant.parse("2030-06-01T00:00:00Z");
  private static final AccessTracking YEARS =
      AccessTracking.since(daysAgo(2000)).counting(daysAgo(2000));
  private static final FileFacts FILE =
      FileFacts.of("/w/f", 17, 1 << 30, 128 << 20, 3, daysAgo(1500));

  private static final Policy COLDEST =
      raiding("coldest", "less-12-4", 0).when(new ColdFor(days(730)));
  private static final Policy LUKEWARM = raiding("lukewarm", "lrc", 90);
  private static final Policy LEFT = raiding("left", "rs", 0).doing(new Action.ToLeave());
  private static final Policy BACK = raiding("back", "rs", 0).doing(new Action.ToUnraid());

  private static Duration days(int days) {
    return Duration.ofDays(days);
  }

  private static Instant daysAgo(int days) {
    return NOW.minus(days(days));
  }

  private static Instant inDays(int days) {
    return NOW.plus(days(days));
  }

  private static Policy raiding(String name, String codec, int coldAfter) {
    return new Policy(
        name,
        List.of(PathGlob.of("/w")),
        List.of(),
        days(coldAfter),
        days(1),
        0,
        new Protection(codec, 1, 1),
        Optional.empty());
  }

  private static Judge judgeAt(Instant now, Policy... policies) {
    return new Judge(
        Policies.of(policies),
        "/.raid",
        (codec, length, blockSize) -> length / 3,
        Clock.fixed(now, ZoneOffset.UTC));
  }

  private static Verdict verdict(FileFacts file, Policy... policies) {
    return judgeAt(NOW, policies).verdict(file, YEARS);
  }

  private static FileFacts unusedFor(int days) {
    return FILE.withAccess(daysAgo(days));
  }

  @Test
  void theColderAFileIsTheEarlierItsTier() {
    Verdict coldest = verdict(unusedFor(730), COLDEST, LUKEWARM);
    Verdict lukewarm = verdict(unusedFor(729), COLDEST, LUKEWARM);
    Verdict warm = verdict(unusedFor(89), COLDEST, LUKEWARM);

    assertThat(coldest.decidedBy()).contains(COLDEST);
    assertThat(coldest.whyNot()).isEmpty();
    assertThat(lukewarm.decidedBy()).contains(LUKEWARM);
    assertThat(lukewarm.whyNot()).isEmpty();
    assertThat(warm.decidedBy()).contains(LUKEWARM);
    assertThat(warm.whyNot()).contains(Reason.STILL_WARM);
    assertThat(warm.changesAt()).contains(inDays(1));
  }

  @Test
  void whatMayBeColdestButIsNotKnownToBeIsLukewarm() {
    AccessTracking oneYear = AccessTracking.since(daysAgo(365));

    assertThat(judgeAt(NOW, COLDEST, LUKEWARM).verdict(FILE, oneYear).decidedBy())
        .contains(LUKEWARM);
    Verdict alone = judgeAt(NOW, COLDEST).verdict(FILE, oneYear);
    assertThat(alone.whyNot()).contains(Reason.INSUFFICIENT_HISTORY);
    assertThat(alone.decidedBy()).contains(COLDEST);
    assertThat(alone.sentence()).endsWith("since %s, coldAfter is 730d.".formatted(daysAgo(365)));
    assertThat(alone.changesAt()).contains(inDays(365));
    assertThat(
            judgeAt(NOW, COLDEST, LUKEWARM)
                .verdict(FILE, YEARS.inDoubt("access times are switched off"))
                .sentence())
        .contains("in doubt (access times are switched off)");
  }

  @Test
  void aFileThatMeetsNobodysConditionsIsLeftWithThatReason() {
    Verdict verdict = verdict(unusedFor(10), COLDEST);

    assertThat(verdict.whyNot()).contains(Reason.CONDITIONS_NOT_MET);
    assertThat(verdict.decidedBy()).isEmpty();
    assertThat(verdict.changesAt()).contains(inDays(720));
    assertThat(verdict(FileFacts.of("/x", 1, 1, 1, 3, NOW), COLDEST).whyNot())
        .contains(Reason.NO_POLICY);
  }

  @Test
  void aPolicyThatLeavesFilesKeepsThemFromLaterOnes() {
    Policy bobs = LEFT.when(new OwnedBy(Set.of("bob")));

    assertThat(verdict(FILE.withOwner("bob", "g"), bobs, LUKEWARM).whyNot())
        .contains(Reason.LEFT_BY_POLICY);
    assertThat(verdict(FILE.withOwner("bob", "g"), bobs, LUKEWARM).sentence())
        .endsWith("It is policy left.");
    assertThat(verdict(FILE.withOwner("eve", "g"), bobs, LUKEWARM).whyNot()).isEmpty();
  }

  @Test
  void whatNobodyKnowsCountsAgainstTouchingAFile() {
    Policy left = LEFT.when(new Snapshotted(true));
    Policy raid = LUKEWARM.when(new Snapshotted(false));

    Verdict unknown = verdict(FILE, left, LUKEWARM);
    assertThat(unknown.whyNot()).contains(Reason.LEFT_BY_POLICY);
    assertThat(unknown.sentence()).contains("leaves it to be safe", "No source tells whether");
    assertThat(verdict(FILE.outsideSnapshots(), left, LUKEWARM).whyNot()).isEmpty();
    assertThat(verdict(FILE, raid).whyNot()).contains(Reason.CONDITIONS_NOT_MET);
    assertThat(verdict(FILE.outsideSnapshots(), raid).whyNot()).isEmpty();
    assertThat(verdict(FILE.withParity(1), BACK.when(new Snapshotted(false))).whyNot())
        .contains(Reason.ALREADY_RAIDED);
  }

  @Test
  void unraidingIsForWhatIsRaidedAndTheRestIsLeft() {
    Policy oftenUsed = BACK.when(new Accesses(Bound.AT_LEAST, 20, days(30)));
    FileFacts used = FILE.withAccessRate(new AccessRate(100, NOW, days(30)));

    Verdict back = verdict(used.withParity(1), oftenUsed, LUKEWARM);
    assertThat(back).isInstanceOf(Unraid.class);
    assertThat(back.decidedBy()).contains(oftenUsed);
    assertThat(back.whyNot()).contains(Reason.UNRAIDED_BY_POLICY);
    assertThat(back.worth()).isEmpty();
    assertThat(back.changesAt().orElseThrow())
        .as("until the estimate is below 19.5")
        .isBetween(inDays(54), inDays(55));
    assertThat(verdict(used, oftenUsed, LUKEWARM).whyNot()).contains(Reason.LEFT_BY_POLICY);
    assertThat(verdict(FILE.withParity(1), oftenUsed, LUKEWARM).whyNot())
        .contains(Reason.ALREADY_RAIDED);
    Judge judge =
        new Judge(
            new Policies(List.of(BACK), List.of(PathGlob.of("/w")), 10),
            "/.raid",
            (codec, length, blockSize) -> 0,
            Clock.fixed(NOW, ZoneOffset.UTC));
    assertThat(judge.verdict(FILE.withParity(1), YEARS).whyNot())
        .as("what is excluded no policy touches, not even to unraid it")
        .contains(Reason.ALREADY_RAIDED);
  }

  @Test
  void whatAnOperatorUnraidedALeavingPolicyLeavesAsItsOwn() {
    assertThat(verdict(FILE.with(Trait.UNRAIDED_BY_OPERATOR), LEFT).whyNot())
        .contains(Reason.LEFT_BY_POLICY);
    assertThat(verdict(FILE.with(Trait.UNRAIDED_BY_OPERATOR), LUKEWARM).whyNot())
        .contains(Reason.UNRAIDED_BY_OPERATOR);
  }

  @Test
  void aFileThatIsOpenedOftenOrWasReheatedLatelyIsNotReady() {
    Policy strict =
        LUKEWARM
            .ready(
                new Readiness(
                    days(1),
                    days(1),
                    0,
                    Optional.of(new Accesses(Bound.AT_MOST, 3, days(30))),
                    false))
            .reheating(new ReheatRule(5, days(2), days(7), days(30)));

    FileFacts often = FILE.withAccessRate(new AccessRate(20, NOW, days(30)));
    assertThat(verdict(often, strict).whyNot()).contains(Reason.USED_TOO_OFTEN);
    assertThat(verdict(often, strict).changesAt().orElseThrow()).isBetween(inDays(59), inDays(60));
    assertThat(verdict(FILE.withReheat(daysAgo(29)), strict).whyNot())
        .contains(Reason.COOLING_DOWN);
    assertThat(verdict(FILE.withReheat(daysAgo(29)), strict).changesAt()).contains(inDays(1));
    assertThat(verdict(FILE.withReheat(daysAgo(30)), strict).whyNot()).isEmpty();
    assertThat(judgeAt(NOW, strict).verdict(FILE, AccessTracking.since(daysAgo(99))).whyNot())
        .as("nothing counts accesses")
        .contains(Reason.INSUFFICIENT_HISTORY);
  }

  @Test
  void aPolicyThatRaidsIsFoundForARequestBehindOneThatDoesNot() {
    Policies policies = Policies.of(LEFT, LUKEWARM);

    assertThat(policies.raidingAt("/w/f")).contains(LUKEWARM);
    assertThat(policies.raidingAt("/x")).isEmpty();
    assertThat(COLDEST.coldAtLeast()).isEqualTo(days(730));
    assertThat(LUKEWARM.coldAtLeast()).isEqualTo(days(90));
  }

  /**
   * For random policies and files: the explanation gives the same verdict, and until the time at
   * which the verdict is said to change it does not.
   */
  @Test
  void aVerdictStandsUntilTheTimeItNames() {
    Random random = new Random(4711);
    int moments = 0;
    for (int i = 0; i < 3_000; i++) {
      Policy[] policies = new Policy[1 + random.nextInt(3)];
      for (int p = 0; p < policies.length; p++) {
        policies[p] = random(random, "p" + p);
      }
      FileFacts file =
          FileFacts.of("/w/f", 17, 1 << 30, 128 << 20, 3, daysAgo(10 + random.nextInt(90)))
              .withAccess(daysAgo(random.nextInt(100)));
      AccessTracking tracking = AccessTracking.since(daysAgo(random.nextInt(200)));
      Verdict now = judgeAt(NOW, policies).verdict(file, tracking);
      assertThat(judgeAt(NOW, policies).explain(file, tracking).verdict()).isEqualTo(now);
      if (now.changesAt().isPresent()) {
        moments++;
        Instant change = now.changesAt().get();
        assertThat(change).isAfter(NOW);
        Verdict before = judgeAt(change.minusMillis(1), policies).verdict(file, tracking);
        assertThat(before.whyNot()).isEqualTo(now.whyNot());
        assertThat(before.decidedBy()).isEqualTo(now.decidedBy());
      } else if (now.whyNot().isPresent()) {
        Verdict later = judgeAt(inDays(10_000), policies).verdict(file, tracking);
        assertThat(later.whyNot())
            .as("%s for ever, by %s", now, List.of(policies))
            .isEqualTo(now.whyNot());
      }
    }
    assertThat(moments).isGreaterThan(1_000);
  }

  private static Policy random(Random random, String name) {
    List<Condition> when = new ArrayList<>();
    if (random.nextBoolean()) {
      when.add(new ColdFor(days(1 + random.nextInt(150))));
    }
    if (random.nextInt(3) == 0) {
      when.add(new Age(Bound.AT_MOST, days(60 + random.nextInt(60))));
    }
    if (random.nextInt(3) == 0) {
      when.add(new Age(Bound.AT_LEAST, days(1 + random.nextInt(100))));
    }
    if (random.nextInt(6) == 0) {
      when.add(new Size(Bound.AT_MOST, 5));
    }
    Policy policy = raiding(name, "rs", random.nextInt(120)).when(when.toArray(Condition[]::new));
    return random.nextInt(4) == 0 ? policy.doing(new Action.ToLeave()) : policy;
  }

  @Test
  void aNameserviceHasItsPoliciesAndThoseOfAll() {
    Policies policies =
        new Policies(
            List.of(
                at("here", "hdfs://ns1/w/**"),
                at("both", "/w/**", "hdfs://ns2/x/**"),
                at("all", "/")),
            List.of(PathGlob.of("hdfs://ns2/w/secret"), PathGlob.of("/tmp/**")),
            0);

    assertThat(policies.nameservices()).containsExactly("ns1", "ns2");
    assertThat(names(policies.in("ns1"))).containsExactly("here", "both", "all");
    assertThat(names(policies.in("ns2"))).containsExactly("both", "all");
    assertThat(policies.in("ns1").raidingAt("/x/f").orElseThrow().name()).isEqualTo("all");
    assertThat(policies.in("ns2").raidingAt("/x/f").orElseThrow().name()).isEqualTo("both");
    assertThat(policies.in("ns1").raidingAt("/w/secret")).isPresent();
    assertThat(policies.in("ns2").raidingAt("/w/secret")).isEmpty();
    assertThat(policies.in("ns2").raidingAt("/tmp/f")).isEmpty();
  }

  private static Policy at(String name, String... paths) {
    return new Policy(
        name,
        Stream.of(paths).map(PathGlob::of).toList(),
        List.of(),
        days(1),
        days(1),
        0,
        new Protection("rs", 1, 1),
        Optional.empty());
  }

  private static List<String> names(Policies policies) {
    return policies.inOrder().stream().map(Policy::name).toList();
  }
}
