package io.hdfsraid.policies;

import io.hdfsraid.policies.Explanation.Asked;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Verdict.Leave;
import io.hdfsraid.policies.Verdict.Raid;
import io.hdfsraid.policies.Verdict.RaidTogether;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies policies to files. Stateless and safe to use from any thread; after a change of the
 * policies a new one is made.
 */
public final class Judge {
  /** Stands in for a policy's name where the global excludes decided. */
  public static final String EXCLUDES = "excludes";

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

  public Verdict verdict(FileFacts file, AccessTracking tracking) {
    return explain(file, tracking).verdict();
  }

  /**
   * The verdict on a file that an operator asked to raid in a certain way. Excludes and time count
   * for nothing; what keeps the file safe, or raiding sensible, does.
   */
  public Verdict verdictOnRequest(FileFacts file, Protection protection) {
    if (ownRoot.matches(file.path())) {
      return ownFile();
    }
    return decide(file, Policy.onRequest(file.path(), protection), AccessTracking.NONE);
  }

  public Explanation explain(FileFacts file, AccessTracking tracking) {
    if (ownRoot.matches(file.path())) {
      return new Explanation(ownFile(), List.of());
    }
    List<Asked> asked = new ArrayList<>();
    if (file.raidedTo().isPresent()) {
      return new Explanation(alreadyRaided(file), asked);
    }
    Optional<PathGlob> exclude = Policy.firstMatch(policies.excludes(), file.path());
    asked.add(
        new Asked(
            EXCLUDES,
            exclude.isPresent(),
            exclude.map(glob -> "matches " + glob).orElse("no pattern matches")));
    if (exclude.isPresent()) {
      return new Explanation(
          leave(Reason.EXCLUDED, "It matches " + exclude.get() + ".", Optional.empty()), asked);
    }
    for (Policy policy : policies.inOrder()) {
      Asked answer = ask(policy, file.path());
      asked.add(answer);
      if (answer.applies()) {
        // Asked here and not of what an operator wants now, who may have changed his mind.
        Verdict verdict =
            file.is(Trait.LET_GO)
                ? leave(Reason.LET_GO, "", Optional.of(policy))
                : decide(file, policy, tracking);
        return new Explanation(verdict, asked);
      }
    }
    return new Explanation(
        leave(
            Reason.NO_POLICY,
            "Policies asked: %d.".formatted(policies.inOrder().size()),
            Optional.empty()),
        asked);
  }

  private static Asked ask(Policy policy, String path) {
    Optional<PathGlob> included = Policy.firstMatch(policy.paths(), path);
    if (included.isEmpty()) {
      return new Asked(policy.name(), false, "none of its paths matches");
    }
    return Policy.firstMatch(policy.excludes(), path)
        .map(glob -> new Asked(policy.name(), false, "its exclude " + glob + " matches"))
        .orElseGet(() -> new Asked(policy.name(), true, "its path " + included.get() + " matches"));
  }

  /** Cheap and lasting reasons first, so that what an operator reads is not gone tomorrow. */
  private Verdict decide(FileFacts file, Policy policy, AccessTracking tracking) {
    Optional<Policy> by = Optional.of(policy);
    if (file.raidedTo().isPresent()) {
      return alreadyRaided(file);
    }
    if (file.is(Trait.STRIPED)) {
      return leave(Reason.STRIPED, "", by);
    }
    if (file.is(Trait.UNDER_CONSTRUCTION)) {
      return leave(Reason.UNDER_CONSTRUCTION, "", by);
    }
    if (file.length() == 0) {
      return leave(Reason.EMPTY, "", by);
    }
    if (file.length() < policy.minSize()) {
      return leave(
          Reason.TOO_SMALL,
          "It has %d bytes, minSize is %d.".formatted(file.length(), policy.minSize()),
          by);
    }
    int target = policy.protection().targetReplication();
    if (file.replication() <= target) {
      return leave(
          Reason.REPLICATION_AT_TARGET,
          "It has replication %d, targetReplication is %d.".formatted(file.replication(), target),
          by);
    }
    int kept = file.snapshotReplication().orElse(0);
    if (kept > target && !policy.raidSnapshotted()) {
      return leave(
          Reason.IN_SNAPSHOT,
          "A snapshot keeps %d replicas of it; a policy may say raidSnapshotted: true."
              .formatted(kept),
          by);
    }
    Saving saving = Saving.of(file.withoutSnapshots(), policy.protection(), estimate);
    if (!saving.isAtLeast(policies.minSavingPercent())) {
      Optional<Saving> together =
          Saving.inGroup(file.withoutSnapshots(), policy.protection(), estimate)
              .filter(shared -> shared.isAtLeast(policies.minSavingPercent()));
      return together.isEmpty()
          ? leave(Reason.WOULD_NOT_SAVE, tooLittle(saving), by)
          : tooSoon(file, policy, tracking)
              .orElseGet(() -> new RaidTogether(policy, together.get()));
    }
    return tooSoon(file, policy, tracking).orElseGet(() -> new Raid(policy, saving));
  }

  private Optional<Verdict> tooSoon(FileFacts file, Policy policy, AccessTracking tracking) {
    Instant now = clock.instant();
    Instant oldEnough = file.modified().plus(policy.minAge());
    if (oldEnough.isAfter(now)) {
      return Optional.of(
          new Leave(
              Reason.TOO_YOUNG,
              "It was changed at %s, minAge is %s."
                  .formatted(file.modified(), days(policy.minAge())),
              Optional.of(policy),
              Optional.of(oldEnough)));
    }
    if (policy.coldAfter().isZero()) {
      return Optional.empty();
    }
    Instant cold = file.lastUsed().plus(policy.coldAfter());
    if (cold.isAfter(now)) {
      return Optional.of(
          new Leave(
              Reason.STILL_WARM,
              "It was last used at %s, coldAfter is %s."
                  .formatted(file.lastUsed(), days(policy.coldAfter())),
              Optional.of(policy),
              Optional.of(cold)));
    }
    if (!tracking.covers(policy.coldAfter(), now)) {
      return Optional.of(
          new Leave(
              Reason.INSUFFICIENT_HISTORY,
              tracking
                  .since()
                  .map(start -> "Accesses are recorded since %s".formatted(start))
                  .orElse("Nothing records accesses")
                  .concat(", coldAfter is %s.".formatted(days(policy.coldAfter()))),
              Optional.of(policy),
              tracking.since().map(start -> start.plus(policy.coldAfter()))));
    }
    return Optional.empty();
  }

  private String tooLittle(Saving saving) {
    return "It occupies %d bytes and would occupy %d; the least saving is %d %%."
        .formatted(saving.before(), saving.after(), policies.minSavingPercent());
  }

  private static Verdict alreadyRaided(FileFacts file) {
    int target = file.raidedTo().orElseThrow();
    return leave(
        Reason.ALREADY_RAIDED,
        file.replication() == target
            ? ""
            : "It was given replication %d and has %d now.".formatted(target, file.replication()),
        Optional.empty());
  }

  private Verdict ownFile() {
    return leave(Reason.EXCLUDED, ownRoot + " holds the parity itself.", Optional.empty());
  }

  private static Leave leave(Reason reason, String detail, Optional<Policy> by) {
    return new Leave(reason, detail, by, Optional.empty());
  }

  private static String days(Duration duration) {
    return Quantities.show(duration);
  }
}
