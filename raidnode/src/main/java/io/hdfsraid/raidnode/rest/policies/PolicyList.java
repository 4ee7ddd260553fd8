// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Converts the policies in force into records of the API. */
public final class PolicyList {
  private final Supplier<Policies> policies;
  private final Function<Policy, Optional<Instant>> nextRun;

  /**
   * Creates a list.
   *
   * @param nextRun looks up the next run of a policy
   */
  public PolicyList(Supplier<Policies> policies, Function<Policy, Optional<Instant>> nextRun) {
    this.policies = policies;
    this.nextRun = nextRun;
  }

  public PoliciesReport view() {
    Policies policies = this.policies.get();
    return new PoliciesReport(
        policies.inOrder().stream().map(this::view).toList(),
        texts(policies.excludes()),
        policies.minSavingPercent(),
        texts(policies.excludes().stream().filter(Policies::isBuiltIn).toList()),
        policies.windows().toString());
  }

  /** Returns the next run of a policy. */
  Optional<Instant> nextRun(Policy policy) {
    return nextRun.apply(policy);
  }

  private PoliciesReport.PolicyView view(Policy policy) {
    return new PoliciesReport.PolicyView(
        policy.name(),
        texts(policy.paths()),
        texts(policy.excludes()),
        policy.coldAfter(),
        policy.minAge(),
        policy.minSize(),
        policy.raids() ? policy.protection().codec() : "",
        policy.raids() ? policy.protection().targetReplication() : 0,
        policy.raids() ? policy.protection().parityReplication() : 0,
        policy.schedule(),
        nextRun.apply(policy),
        policy.action().word(),
        policy.when().stream()
            .map(condition -> condition.key() + ": " + condition.wanted())
            .toList(),
        this.policies.get().windowsOf(policy).toString(),
        policy.runs().capacity().map(CapacityRule::toString));
  }

  private static List<String> texts(List<PathGlob> globs) {
    return globs.stream().map(PathGlob::toString).toList();
  }
}
