// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.policies.Action;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.ReheatRule;
import io.hdfsraid.policies.ReheatRule.Decision;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.index.IndexedFacts;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Unraids the files that are used again, by the reheat rules of their policies, and the files that
 * a policy tells to unraid.
 */
public final class ReheatJob {
  /**
   * The most files that one run unraids. Each asks HDFS for more replicas; the next run goes on.
   */
  private static final int MOST = 1_000;

  private static final int PAGE = 1_000;

  private final Catalog catalog;
  private final Recency recency;
  private final ActingPolicies policies;
  private final Reheater reheater;
  private final RaidedUse use;
  private final Clock clock;

  public ReheatJob(
      Catalog catalog, Recency recency, ActingPolicies policies, Reheater reheater, Clock clock) {
    this.catalog = catalog;
    this.recency = recency;
    this.policies = policies;
    this.reheater = reheater;
    this.use = new RaidedUse(catalog.earlierUse(), clock);
    this.clock = clock;
  }

  /**
   * Checks all files under parity.
   *
   * @return the number of files that were unraided
   */
  public int run() throws IOException {
    PoliciesInForce.Rules rules = policies.inForce().now();
    catalog.reheats().forgetBefore(clock.instant().minus(longestCoolDown(rules.policies())));
    Look look = new Look(rules);
    int unraided = 0;
    // Of what is reduced some cannot be spread as it should be, and stays so.
    for (FileState state : List.of(FileState.RAIDED, FileState.REDUCED)) {
      Optional<Long> after = look.isPointless() ? Optional.empty() : Optional.of(-1L);
      while (after.isPresent() && unraided < MOST) {
        KnownFiles.Page page =
            catalog.files().page(Optional.of(state), look::concerns, after.get(), PAGE, PAGE);
        for (FileRecord file : page.files()) {
          unraided += look.unraids(file) ? 1 : 0;
        }
        after = page.next();
      }
    }
    return unraided;
  }

  /** What is the same for all files of a run. It is asked once, because there may be millions. */
  private final class Look {
    private final PoliciesInForce.Rules rules;
    private final AccessTracking tracking = recency.tracking();
    private final Map<String, ReheatRule> reheating;
    private final boolean unraiding;

    Look(PoliciesInForce.Rules rules) {
      this.rules = rules;
      this.reheating =
          rules.policies().inOrder().stream()
              .filter(policy -> policy.reheat().isPresent())
              .collect(Collectors.toMap(Policy::name, policy -> policy.reheat().orElseThrow()));
      this.unraiding =
          rules.policies().inOrder().stream()
              .anyMatch(policy -> policy.action() instanceof Action.ToUnraid);
    }

    /** Returns whether no policy unraids any file. */
    boolean isPointless() {
      return reheating.isEmpty() && !unraiding;
    }

    /** Returns whether the file may have to be unraided, as far as its record tells. */
    boolean concerns(FileRecord file) {
      return unraiding || reheating.containsKey(file.progress().by());
    }

    boolean unraids(FileRecord file) {
      Optional<FileFacts> listed = catalog.namespace().file(file.inode()).map(IndexedFacts::of);
      if (listed.isEmpty()) {
        return false;
      }
      FileFacts facts = catalog.reheats().complete(file.complete(listed.get()));
      ReheatRule rule = reheating.get(file.progress().by());
      if (rule != null
          && rule.decide(use.look(file, facts, rule), clock.instant())
              instanceof Decision.Reheat decision) {
        return reheater.reheat(file, decision.detail().toString());
      }
      return unraiding
          && rules.judge().verdict(facts, tracking) instanceof Verdict.Unraid unraid
          && policies.mayAct(rules.policies(), unraid.policy())
          && reheater.unraid(file, unraid.policy().name());
    }
  }

  /** At least the default, because a policy that is removed today may come back tomorrow. */
  private static Duration longestCoolDown(Policies policies) {
    return policies.inOrder().stream()
        .flatMap(policy -> policy.reheat().stream())
        .map(ReheatRule::coolDown)
        .filter(each -> each.compareTo(ReheatRule.DEFAULT_COOL_DOWN) > 0)
        .max(Duration::compareTo)
        .orElse(ReheatRule.DEFAULT_COOL_DOWN);
  }
}
