// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.plan;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.window.WindowState;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.plan.RaidingPlan;
import io.hdfsraid.raidapi.plan.RaidingPlan.Candidates;
import io.hdfsraid.raidapi.plan.RaidingPlan.PolicyPlan;
import io.hdfsraid.raidapi.plan.RaidingPlan.Taken;
import io.hdfsraid.raidapi.savings.SavingsReport.Skipped;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidnode.catalog.EvaluationLine;
import io.hdfsraid.raidnode.catalog.EvaluationReport;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.select.CapacityGates;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Predicts what the policies have still to do, from the last evaluation of the namespace, from what
 * raiding has taken up since, and from the current windows and fill levels.
 */
public class PlanService {
  /**
   * Reasons that count as small. Files that would not save enough may be large, so they have a row
   * of their own.
   */
  private static final Set<Reason> SMALL = Set.of(Reason.TOO_SMALL, Reason.NO_COMPANY);

  private final Notes notes;
  private final KnownFiles files;
  private final PoliciesInForce policies;
  private final WorkingHours hours;
  private final CapacityGates gates;
  private final Supplier<Tuning> tuning;

  public PlanService(
      Notes notes,
      KnownFiles files,
      PoliciesInForce policies,
      WorkingHours hours,
      CapacityGates gates,
      Supplier<Tuning> tuning) {
    this.notes = notes;
    this.files = files;
    this.policies = policies;
    this.hours = hours;
    this.gates = gates;
    this.tuning = tuning;
  }

  /**
   * Returns what the policies have still to do, by the last evaluation of all files.
   *
   * @param wanted name of a policy; empty for all
   * @throws ApiFailure if there was no evaluation yet, or there is no such policy
   */
  public RaidingPlan plan(Optional<String> wanted) {
    Policies inForce = policies.policies();
    wanted.ifPresent(name -> check(name, inForce));
    EvaluationReport evaluation =
        notes
            .record(Notes.EVALUATION, EvaluationReport.class)
            .orElseThrow(
                () ->
                    new ApiFailure(
                        ErrorCode.NOT_READY,
                        "The files have not been evaluated yet",
                        "The first scan evaluates them; 'raidshell status' shows when it has"
                            + " ended."));
    List<EvaluationLine> lines =
        evaluation.lines().stream()
            .filter(line -> wanted.isEmpty() || wanted.get().equals(line.policy()))
            .toList();
    Map<String, Total> taken = taken(inForce);
    Tuning now = tuning.get();
    boolean inContainers = now.containers().encode();
    long rate = inContainers ? now.containers().bytesPerSecond() : now.raiding().bytesPerSecond();
    return new RaidingPlan(
        evaluation.at(),
        evaluation.files(),
        inContainers ? "yarn" : "local",
        rate,
        inForce.inOrder().stream()
            .filter(Policy::raids)
            .filter(policy -> wanted.isEmpty() || wanted.get().equals(policy.name()))
            .map(policy -> plan(policy, inForce, lines, taken.get(policy.name()), rate))
            .toList(),
        skipped(lines),
        lines.stream()
            .filter(line -> line.reason().filter(SMALL::contains).isPresent())
            .map(line -> skipped("small", line))
            .reduce(new Skipped("small", 0, 0, 0), PlanService::plus));
  }

  private static void check(String name, Policies inForce) {
    if (inForce.inOrder().stream().noneMatch(policy -> policy.name().equals(name))) {
      throw ApiFailure.notFound(
          "There is no policy " + name,
          "There are: " + String.join(", ", inForce.inOrder().stream().map(Policy::name).toList()));
    }
  }

  /** Sums up the files that raiding has taken up since the evaluation, by the policy that raids. */
  private Map<String, Total> taken(Policies inForce) {
    Map<String, Total> taken = new HashMap<>();
    inForce
        .inOrder()
        .forEach(
            policy -> taken.put(policy.name(), Total.none(FileState.CANDIDATE, Optional.empty())));
    files
        .newcomers()
        .all()
        .forEach(
            (inode, counted) ->
                files
                    .find(inode)
                    .flatMap(file -> inForce.raidingAt(file.facts().path()))
                    .ifPresent(policy -> taken.merge(policy.name(), counted, Total::plus)));
    return taken;
  }

  private PolicyPlan plan(
      Policy policy, Policies inForce, List<EvaluationLine> lines, Total taken, long rate) {
    Candidates counted =
        lines.stream()
            .filter(line -> line.reason().isEmpty() && line.policy().equals(policy.name()))
            .map(PlanService::candidates)
            .reduce(Candidates.NONE, Candidates::plus);
    Candidates candidates = without(taken, counted);
    WindowState now = hours.of(inForce, policy);
    return new PolicyPlan(
        policy.name(),
        candidates,
        new Taken(taken.files(), taken.bytes()),
        rate == Tuning.UNLIMITED ? Optional.empty() : Optional.of(time(candidates, policy, rate)),
        new WindowStatus(now.open(), now.intensity(), now.until(), now.why()),
        policy.runs().capacity().map(CapacityRule::toString),
        policy.runs().capacity().map(rule -> gates.now(policy, rule).why()));
  }

  /**
   * Returns what is left of the candidates. What the taken files were to occupy and how many
   * objects they were to need is not known one by one, so their share of the bytes stands for it.
   */
  private static Candidates without(Total taken, Candidates counted) {
    long bytes = Math.max(0, counted.logicalBytes() - taken.bytes());
    double left = counted.logicalBytes() == 0 ? 0 : (double) bytes / counted.logicalBytes();
    return new Candidates(
        Math.max(0, counted.files() - taken.files()),
        bytes,
        Math.max(0, counted.beforeBytes() - taken.physicalBytes()),
        Math.round(counted.afterBytes() * left),
        Math.round(counted.objects() * left));
  }

  private static Candidates candidates(EvaluationLine line) {
    return new Candidates(
        line.files(), line.bytes(), line.physicalBytes(), line.bytesAfter(), line.objects());
  }

  /** Estimates the time: every byte is read once, and all replicas of parity are written. */
  private static Duration time(Candidates candidates, Policy policy, long rate) {
    long replicas = candidates.logicalBytes() * policy.protection().targetReplication();
    long parity = Math.max(0, candidates.afterBytes() - replicas);
    return Duration.ofSeconds((candidates.logicalBytes() + parity + rate - 1) / rate);
  }

  private static List<Skipped> skipped(List<EvaluationLine> lines) {
    Map<Reason, Skipped> byReason = new TreeMap<>();
    for (EvaluationLine line : lines) {
      line.reason()
          .ifPresent(
              reason -> byReason.merge(reason, skipped(reason.name(), line), PlanService::plus));
    }
    return byReason.values().stream()
        .sorted(Comparator.comparingLong(Skipped::logicalBytes).reversed())
        .toList();
  }

  private static Skipped skipped(String name, EvaluationLine line) {
    return new Skipped(name, line.files(), line.bytes(), line.physicalBytes());
  }

  private static Skipped plus(Skipped one, Skipped other) {
    return new Skipped(
        one.reason(),
        one.files() + other.files(),
        one.logicalBytes() + other.logicalBytes(),
        one.physicalBytes() + other.physicalBytes());
  }
}
