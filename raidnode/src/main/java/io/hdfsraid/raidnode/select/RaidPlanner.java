// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.Verdict.ToRaid;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.Reheats;
import io.hdfsraid.raidnode.catalog.SkipReason;
import io.hdfsraid.raidnode.raiding.group.GroupPlan;
import io.hdfsraid.raidnode.select.RaidPlan.Candidate;
import io.hdfsraid.raidnode.select.RaidPlan.Lonely;
import io.hdfsraid.raidnode.select.RaidPlan.Together;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.index.ColdFileVisitor;
import io.hdfsraid.recency.index.IndexedFacts;
import io.hdfsraid.recency.index.IndexedFile;
import io.hdfsraid.recency.index.NamespaceIndex;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Chooses the coldest files for a run, and the groups of files that share parity. The cost depends
 * on the number of chosen files, not on the namespace. Files that policies skip for a permanent
 * reason are removed from the order on the way.
 */
public final class RaidPlanner {
  /** The most files of one run. The next run goes on; the list of a run stays small. */
  private static final int MOST = 10_000;

  /** The most small files of one run. Many of them share parity and are one task. */
  private static final int MOST_SMALL = 100_000;

  /** The most files of one directory that found no company before and are tried again. */
  private static final int MOST_LONELY = 10_000;

  /** The most directories that are listed for files of which only the paths are known. */
  private static final int MOST_UNCLEAR = 100;

  private final NamespaceIndex index;
  private final KnownFiles files;
  private final Reheats reheats;
  private final Recency recency;
  private final PoliciesInForce policies;
  private final Clock clock;

  public RaidPlanner(Catalog catalog, Recency recency, PoliciesInForce policies, Clock clock) {
    this.index = catalog.namespace();
    this.files = catalog.files();
    this.reheats = catalog.reheats();
    this.recency = recency;
    this.policies = policies;
    this.clock = clock;
  }

  /**
   * Plans like {@link #plan}, but has directories listed first if the index knows no more of some
   * candidates than their paths.
   */
  RaidPlan planListed(Predicate<Policy> which, RunLimits.Gates gates) throws IOException {
    RaidPlan plan = plan(which, gates);
    if (plan.unclear().isEmpty()) {
      return plan;
    }
    recency.list(plan.unclear());
    return plan(which, gates);
  }

  /** Takes files without company out of the order until company arrives in their directory. */
  void setAside(List<Lonely> lonely) {
    for (Lonely each : lonely) {
      index.skipUnlessBusy(each.file().inodeId(), SkipReason.NO_COMPANY.tag());
    }
  }

  /**
   * Returns what the policies that the filter accepts raid now, within their budgets and the room
   * that they are to make.
   */
  RaidPlan plan(Predicate<Policy> which, RunLimits.Gates gates) {
    Choice choice = new Choice(which, gates);
    if (choice.isOver()) {
      return RaidPlan.NOTHING;
    }
    index.coldestFirst(choice::look);
    return choice.plan();
  }

  /** Candidates that may share parity, as far as the index knows. */
  private record Sharing(GroupPlan.Bucket bucket, Policy policy) {}

  private final class Choice {
    private final List<Policy> running;
    private final RunLimits limits;
    private final PoliciesInForce.Rules rules = policies.now();
    private final AccessTracking tracking = recency.tracking();
    private final Instant now = clock.instant();
    private Instant warm = Instant.MIN;
    private final List<Candidate> alone = new ArrayList<>();

    /** By directory. */
    private final Map<String, Map<Sharing, Map<Long, FileFacts>>> sharing = new LinkedHashMap<>();

    private final Set<Long> payAlone = new LinkedHashSet<>();
    private final List<Together> groups = new ArrayList<>();
    private final List<Lonely> lonely = new ArrayList<>();
    private final Set<String> unclear = new LinkedHashSet<>();
    private int small;

    Choice(Predicate<Policy> which, RunLimits.Gates gates) {
      this.running =
          new ArrayList<>(
              rules.policies().inOrder().stream()
                  .filter(Policy::raids)
                  .filter(which)
                  // Without a record of accesses for that long, no file is cold.
                  .filter(policy -> tracking.covers(policy.coldAtLeast(), now))
                  .toList());
      this.limits = new RunLimits(running, gates);
      goOnWithoutTheSpent();
    }

    private void goOnWithoutTheSpent() {
      running.removeIf(limits::isSpent);
      running.stream()
          .map(Policy::coldAtLeast)
          .min(Duration::compareTo)
          .ifPresent(shortest -> warm = now.minus(shortest));
    }

    /** Returns whether no policy takes another file. */
    boolean isOver() {
      return running.isEmpty();
    }

    ColdFileVisitor.Step look(IndexedFile file) {
      if (isOver()
          || file.lastUsed().isAfter(warm)
          || alone.size() == MOST
          || small >= MOST_SMALL) {
        return ColdFileVisitor.stop();
      }
      if (PreRaidCheck.isUnclear(file)) {
        if (unclear.size() < MOST_UNCLEAR) {
          unclear.add(GroupPlan.directoryOf(file.path()));
        }
        return ColdFileVisitor.keep();
      }
      FileFacts facts = reheats.complete(IndexedFacts.of(file));
      Verdict verdict = rules.judge().verdict(facts, tracking);
      if (verdict instanceof ToRaid wanted) {
        Optional<SkipReason> known = known(file.inode());
        if (known.isPresent()) {
          return ColdFileVisitor.skip(known.get().tag());
        }
        take(facts, wanted);
        return ColdFileVisitor.keep();
      }
      return PermanentReasons.mayPass(verdict)
          ? ColdFileVisitor.keep()
          : ColdFileVisitor.skip(SkipReason.LEFT.tag());
    }

    private void take(FileFacts facts, ToRaid verdict) {
      Policy policy = verdict.policy();
      boolean admitted = limits.admit(verdict, facts);
      if (limits.isSpent(policy)) {
        goOnWithoutTheSpent();
      }
      if (!admitted) {
        return;
      }
      boolean worthAlone = verdict instanceof Verdict.Raid;
      if (GroupPlan.mayShare(facts, policy.protection())) {
        small++;
        GroupPlan.Bucket bucket = GroupPlan.Bucket.of(facts);
        sharing
            .computeIfAbsent(bucket.directory(), key -> new LinkedHashMap<>())
            .computeIfAbsent(new Sharing(bucket, policy), key -> new LinkedHashMap<>())
            .put(facts.inodeId(), facts);
        if (worthAlone) {
          payAlone.add(facts.inodeId());
        }
      } else if (worthAlone) {
        alone.add(new Candidate(facts, policy));
      }
    }

    RaidPlan plan() {
      // The directories come one after another, so that the next one can use the budget that files
      // without a group give back.
      sharing.forEach(
          (directory, buckets) -> {
            askTheLonely(directory);
            buckets.forEach((key, files) -> group(key, List.copyOf(files.values())));
          });
      return new RaidPlan(alone, groups, lonely, List.copyOf(unclear));
    }

    private void group(Sharing key, List<FileFacts> files) {
      Policy policy = key.policy();
      GroupPlan plan =
          GroupPlan.of(files, policy.protection(), rules.policies().minSavingPercent());
      plan.groups().forEach(group -> groups.add(new Together(group, policy)));
      for (FileFacts left : plan.left()) {
        if (payAlone.contains(left.inodeId())) {
          alone.add(new Candidate(left, policy));
        } else {
          lonely.add(new Lonely(left, policy, plan.whyLeft()));
          limits.giveBack(policy, left.length());
        }
      }
    }

    /** Tries the lonely files of a directory again, because it has other candidates now. */
    private void askTheLonely(String directory) {
      int[] asked = {0};
      index.directly(
          directory,
          file -> {
            if (SkipReason.NO_COMPANY.holds(file) && !PreRaidCheck.isUnclear(file)) {
              FileFacts facts = reheats.complete(IndexedFacts.of(file));
              Verdict verdict = rules.judge().verdict(facts, tracking);
              if (verdict instanceof ToRaid wanted && known(file.inode()).isEmpty()) {
                take(facts, wanted);
              }
              asked[0]++;
            }
            return asked[0] < MOST_LONELY && small < MOST_SMALL;
          });
    }
  }

  /**
   * Returns why a file is to be skipped although a policy wants it. The index does not know that a
   * file was raided, or that an operator unraided it, and each change of a file brings the file
   * back into the order.
   */
  private Optional<SkipReason> known(long inode) {
    return files
        .find(inode)
        .filter(file -> file.parity().isPresent() || file.state() == FileState.LEFT)
        .map(file -> file.parity().isPresent() ? SkipReason.RAIDED : SkipReason.REFUSED);
  }
}
