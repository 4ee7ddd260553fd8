// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.Condition.Age;
import io.hdfsraid.policies.Condition.Bound;
import io.hdfsraid.policies.Condition.ColdFor;
import io.hdfsraid.policies.Condition.CooledDown;
import io.hdfsraid.policies.Condition.Size;
import io.hdfsraid.policies.ConditionResult.Answer;
import io.hdfsraid.policies.Explanation.Answered;
import io.hdfsraid.policies.Explanation.Asked;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Verdict.Leave;
import io.hdfsraid.policies.Verdict.Raid;
import io.hdfsraid.policies.Verdict.RaidTogether;
import io.hdfsraid.policies.Verdict.Unraid;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Applies policies to files. Stateless and safe to use from any thread; after a change of the
 * policies a new one is made.
 */
public final class Judge {
  /** Takes the place of a policy's name if the global excludes decided. */
  public static final String EXCLUDES = "excludes";

  /** What no passing of time changes. */
  private static final Set<Reason> LASTING =
      EnumSet.of(
          Reason.EXCLUDED,
          Reason.STRIPED,
          Reason.EMPTY,
          Reason.UNDER_CONSTRUCTION,
          Reason.UNRAIDED_BY_OPERATOR);

  private final Policies policies;
  private final PathGlob ownRoot;
  private final ParityEstimate estimate;
  private final Clock clock;

  /**
   * A judge by these policies.
   *
   * @param ownRoot the directory of the parity files, which no configuration can make a candidate
   */
  public Judge(Policies policies, String ownRoot, ParityEstimate estimate, Clock clock) {
    this.policies = policies;
    this.ownRoot = PathGlob.exactly(ownRoot);
    this.estimate = estimate;
    this.clock = clock;
  }

  /** The verdict alone: what an evaluation asks of millions of files. */
  public Verdict verdict(FileFacts file, AccessTracking tracking) {
    return judge(file, new EvaluationTime(clock.instant(), tracking), Minutes.NONE);
  }

  /**
   * The verdict on a file that an operator asked to raid in a certain way. Excludes and time count
   * for nothing; what keeps the file safe, or raiding sensible, does.
   */
  public Verdict verdictOnRequest(FileFacts file, Protection protection) {
    if (ownRoot.matches(file.path())) {
      return ownFile();
    }
    return decide(
        file,
        Policy.onRequest(file.path(), protection),
        new EvaluationTime(clock.instant(), AccessTracking.NONE));
  }

  /** The verdict and everything that was asked on the way to it. */
  public Explanation explain(FileFacts file, AccessTracking tracking) {
    Protocol protocol = new Protocol(file, new EvaluationTime(clock.instant(), tracking));
    Verdict verdict = judge(file, protocol.evaluation, protocol);
    return new Explanation(verdict, protocol.asked);
  }

  private Verdict judge(FileFacts file, EvaluationTime evaluation, Minutes minutes) {
    String path = file.path();
    if (ownRoot.matches(path)) {
      return ownFile();
    }
    boolean excluded = Policy.matchesAny(policies.excludes(), path);
    minutes.excludes(excluded);
    if (excluded) {
      return file.raidedTo().isPresent()
          ? alreadyRaided(file)
          : leave(
              Reason.EXCLUDED,
              Detail.of(
                  "It matches %s.", Policy.firstMatch(policies.excludes(), path).orElseThrow()),
              Optional.empty());
    }
    Optional<Instant> change = Optional.empty();
    Optional<ConditionReport> lackingHistory = Optional.empty();
    int covering = 0;
    for (int i = 0; i < policies.inOrder().size(); i++) {
      Policy policy = policies.inOrder().get(i);
      if (!policy.covers(path)) {
        minutes.notCovered(policy);
        continue;
      }
      covering++;
      ConditionReport report = ConditionReport.of(policy, file, evaluation);
      minutes.reported(report);
      change = ConditionReport.earlier(change, report.changesAt());
      if (report.speaks()) {
        return changing(say(file, report, evaluation), change);
      }
      if (lackingHistory.isEmpty() && report.lacksOnlyHistory()) {
        lackingHistory = Optional.of(report);
      }
    }
    return changing(
        file.raidedTo().isPresent() ? alreadyRaided(file) : nobodySpeaks(covering, lackingHistory),
        change);
  }

  /** What the policy that speaks about a file says. */
  private Verdict say(FileFacts file, ConditionReport report, EvaluationTime evaluation) {
    Policy policy = report.policy();
    boolean raided = file.raidedTo().isPresent();
    if (policy.action() instanceof Action.ToUnraid && raided) {
      return new Unraid(policy, Optional.empty());
    }
    if (raided) {
      return alreadyRaided(file);
    }
    if (!policy.raids()) {
      return leave(Reason.LEFT_BY_POLICY, whyLeft(report), Optional.of(policy));
    }
    // Asked here and not of what an operator wants now, who may have changed his mind.
    return file.is(Trait.UNRAIDED_BY_OPERATOR)
        ? leave(Reason.UNRAIDED_BY_OPERATOR, Detail.NONE, Optional.of(policy))
        : decide(file, policy, evaluation);
  }

  private static Detail whyLeft(ConditionReport report) {
    Policy policy = report.policy();
    for (ConditionResult result : report.results()) {
      if (result.is(Answer.UNKNOWN)) {
        return Detail.of("Policy %s leaves it to be safe. %s", policy.name(), result.detail());
      }
    }
    return policy.action() instanceof Action.ToUnraid
        ? Detail.of("Policy %s unraids such files, and this one is not raided.", policy.name())
        : Detail.of("It is policy %s.", policy.name());
  }

  private Verdict nobodySpeaks(int covering, Optional<ConditionReport> lackingHistory) {
    if (lackingHistory.isPresent()) {
      return leave(
          Reason.INSUFFICIENT_HISTORY,
          lackingHistory.get().obstacle().orElseThrow().detail(),
          Optional.of(lackingHistory.get().policy()));
    }
    return covering == 0
        ? leave(
            Reason.NO_POLICY,
            Detail.of("Policies asked: %d.", policies.inOrder().size()),
            Optional.empty())
        : leave(
            Reason.CONDITIONS_NOT_MET,
            Detail.of("Policies that cover its path: %d.", covering),
            Optional.empty());
  }

  /** The verdict, which will be another at that time at the latest. */
  private static Verdict changing(Verdict verdict, Optional<Instant> change) {
    if (change.isEmpty()) {
      return verdict;
    }
    if (verdict instanceof Unraid unraid) {
      return new Unraid(unraid.policy(), change);
    }
    return verdict instanceof Leave leave && !LASTING.contains(leave.reason())
        ? new Leave(
            leave.reason(),
            leave.detail(),
            leave.decidedBy(),
            ConditionReport.earlier(leave.changesAt(), change))
        : verdict;
  }

  /** Collects the answers on the way to a verdict. */
  private interface Minutes {
    Minutes NONE =
        new Minutes() {
          @Override
          public void excludes(boolean matched) {}

          @Override
          public void notCovered(Policy policy) {}

          @Override
          public void reported(ConditionReport report) {}
        };

    void excludes(boolean matched);

    void notCovered(Policy policy);

    void reported(ConditionReport report);
  }

  /** Collects every answer, for an explanation. */
  private final class Protocol implements Minutes {
    private final FileFacts file;
    private final EvaluationTime evaluation;
    private final List<Asked> asked = new ArrayList<>();

    Protocol(FileFacts file, EvaluationTime evaluation) {
      this.file = file;
      this.evaluation = evaluation;
    }

    @Override
    public void excludes(boolean matched) {
      String why =
          Policy.firstMatch(policies.excludes(), file.path())
              .map(glob -> "matches " + (Policies.isBuiltIn(glob) ? "the built-in " : "") + glob)
              .orElse("no pattern matches");
      asked.add(new Asked(EXCLUDES, matched, why));
    }

    @Override
    public void notCovered(Policy policy) {
      asked.add(new Asked(policy.name(), false, whyNot(policy)));
    }

    private String whyNot(Policy policy) {
      if (!Policy.matchesAny(policy.paths(), file.path())) {
        return "none of its paths matches";
      }
      return Policy.firstMatch(policy.excludes(), file.path())
          .map(glob -> "its exclude " + glob + " matches")
          .orElseGet(
              () ->
                  "it makes room in %s, and the file takes none there"
                      .formatted(policy.runs().capacity().orElseThrow().space()));
    }

    @Override
    public void reported(ConditionReport report) {
      Policy policy = report.policy();
      List<Answered> conditions = new ArrayList<>();
      for (int i = 0; i < report.results().size(); i++) {
        conditions.add(Answered.of("when.", policy.when().get(i), report.results().get(i)));
      }
      if (report.speaks() && policy.raids()) {
        for (Requirement requirement : requirements(policy)) {
          Condition condition = requirement.condition();
          conditions.add(Answered.of("", condition, condition.ask(file, evaluation)));
        }
      }
      String why =
          report
              .obstacle()
              .map(result -> result.detail().toString())
              .orElseGet(
                  () ->
                      "its path "
                          + Policy.firstMatch(policy.paths(), file.path()).orElseThrow()
                          + " matches"
                          + (policy.when().isEmpty()
                              ? ""
                              : ", and none of its conditions speaks against it"));
      asked.add(new Asked(policy.name(), report.speaks(), why, conditions));
    }
  }

  /** Something that a file must meet to be ready, and the reason to leave it while it does not. */
  private record Requirement(Condition condition, Reason otherwise) {}

  private static List<Requirement> requirements(Policy policy) {
    List<Requirement> all = new ArrayList<>();
    if (policy.minSize() > 0) {
      all.add(new Requirement(new Size(Bound.AT_LEAST, policy.minSize()), Reason.TOO_SMALL));
    }
    all.addAll(timely(policy));
    return all;
  }

  /** Those that the passing of time may bring about; the surest first. */
  private static List<Requirement> timely(Policy policy) {
    Readiness readiness = policy.readiness();
    List<Requirement> all = new ArrayList<>(4);
    all.add(new Requirement(new Age(Bound.AT_LEAST, readiness.minAge()), Reason.TOO_YOUNG));
    policy
        .reheat()
        .ifPresent(
            rule -> all.add(new Requirement(new CooledDown(rule.coolDown()), Reason.COOLING_DOWN)));
    all.add(new Requirement(new ColdFor(readiness.coldAfter()), Reason.STILL_WARM));
    readiness.accesses().ifPresent(limit -> all.add(new Requirement(limit, Reason.USED_TOO_OFTEN)));
    return all;
  }

  /**
   * Checks cheap and lasting reasons first, so that the reason an operator reads still holds
   * tomorrow.
   */
  private Verdict decide(FileFacts file, Policy policy, EvaluationTime evaluation) {
    Optional<Policy> by = Optional.of(policy);
    if (file.raidedTo().isPresent()) {
      return alreadyRaided(file);
    }
    if (file.is(Trait.STRIPED)) {
      return leave(Reason.STRIPED, Detail.NONE, by);
    }
    if (file.is(Trait.UNDER_CONSTRUCTION)) {
      return leave(Reason.UNDER_CONSTRUCTION, Detail.NONE, by);
    }
    if (file.length() == 0) {
      return leave(Reason.EMPTY, Detail.NONE, by);
    }
    if (file.length() < policy.minSize()) {
      return leave(
          Reason.TOO_SMALL,
          Detail.of("It has %d bytes, minSize is %d.", file.length(), policy.minSize()),
          by);
    }
    int target = policy.protection().targetReplication();
    if (file.replication() <= target) {
      return leave(
          Reason.REPLICATION_AT_TARGET,
          Detail.of("It has replication %d, targetReplication is %d.", file.replication(), target),
          by);
    }
    int kept = file.snapshotReplication().orElse(0);
    if (kept > target && !policy.raidSnapshotted()) {
      return leave(
          Reason.IN_SNAPSHOT,
          Detail.of(
              "A snapshot keeps %d replicas of it; a policy may say raidSnapshotted: true.", kept),
          by);
    }
    Saving saving = Saving.of(file.withoutSnapshots(), policy.protection(), estimate);
    if (!saving.isAtLeast(policies.minSavingPercent())) {
      Optional<Saving> together =
          Saving.inGroup(file.withoutSnapshots(), policy.protection(), estimate)
              .filter(shared -> shared.isAtLeast(policies.minSavingPercent()));
      return together.isEmpty()
          ? leave(Reason.WOULD_NOT_SAVE, tooLittle(saving), by)
          : tooSoon(file, policy, evaluation)
              .orElseGet(() -> new RaidTogether(policy, together.get()));
    }
    return tooSoon(file, policy, evaluation).orElseGet(() -> new Raid(policy, saving));
  }

  private static Optional<Verdict> tooSoon(
      FileFacts file, Policy policy, EvaluationTime evaluation) {
    for (Requirement requirement : timely(policy)) {
      ConditionResult result = requirement.condition().ask(file, evaluation);
      if (!result.is(Answer.YES)) {
        return Optional.of(
            new Leave(
                result.is(Answer.NO) ? requirement.otherwise() : Reason.INSUFFICIENT_HISTORY,
                result.detail(),
                Optional.of(policy),
                result.changesAt()));
      }
    }
    return Optional.empty();
  }

  private Detail tooLittle(Saving saving) {
    return Detail.of(
        "It occupies %d bytes and would occupy %d; the least saving is %d %%.",
        saving.before(), saving.after(), policies.minSavingPercent());
  }

  private static Verdict alreadyRaided(FileFacts file) {
    int target = file.raidedTo().orElseThrow();
    return leave(
        Reason.ALREADY_RAIDED,
        file.replication() == target
            ? Detail.NONE
            : Detail.of("It was given replication %d and has %d now.", target, file.replication()),
        Optional.empty());
  }

  private Verdict ownFile() {
    return leave(
        Reason.EXCLUDED, Detail.of("%s holds the parity itself.", ownRoot), Optional.empty());
  }

  private static Leave leave(Reason reason, Detail detail, Optional<Policy> by) {
    return new Leave(reason, detail, by, Optional.empty());
  }
}
