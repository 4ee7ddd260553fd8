// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.ReheatRule;
import io.hdfsraid.policies.window.WindowState;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.select.CapacityGates;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.select.RaidedUse;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** Tells when the policy of a file may raid or reheat that file. */
public final class PolicyOutlook {
  private final PolicyList policies;
  private final PoliciesInForce judges;
  private final WorkingHours hours;
  private final CapacityGates gates;
  private final RaidedUse use;
  private final Clock clock;

  public PolicyOutlook(
      PolicyList policies,
      PoliciesInForce judges,
      WorkingHours hours,
      CapacityGates gates,
      RaidedUse use,
      Clock clock) {
    this.policies = policies;
    this.judges = judges;
    this.hours = hours;
    this.gates = gates;
    this.use = use;
    this.clock = clock;
  }

  /** Returns when a policy may raid its candidates. */
  FileExplanation.Acting acting(Policy policy) {
    WindowState now = hours.of(judges.policies(), policy);
    return new FileExplanation.Acting(
        policy.name(),
        new WindowStatus(now.open(), now.intensity(), now.until(), now.why()),
        policies.nextRun(policy),
        policy.runs().capacity().map(rule -> gates.now(policy, rule).why()));
  }

  /**
   * Returns how much use a raided file lacks until its policy reheats it; empty if the policy has
   * no reheat rule or is no longer in force.
   */
  Optional<FileExplanation.Reheating> reheating(FileRecord file, FileFacts facts) {
    Instant now = clock.instant();
    return judges.policies().inOrder().stream()
        .filter(policy -> policy.name().equals(file.progress().by()))
        .flatMap(policy -> policy.reheat().stream())
        .findFirst()
        .map(
            rule -> {
              ReheatRule.Residence residence = use.of(file, facts, rule);
              return new FileExplanation.Reheating(
                  file.progress().by(),
                  rule.counted(residence, now),
                  rule.accesses(),
                  rule.within(),
                  rule.residentUntil(residence),
                  rule.coolUntil(residence, now));
            });
  }
}
