package io.hdfsraid.raidnode.view;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.window.Openness;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.RaidingOutlook;
import io.hdfsraid.raidapi.RaidingOutlook.Candidates;
import io.hdfsraid.raidapi.RaidingOutlook.Hours;
import io.hdfsraid.raidapi.RaidingOutlook.PolicyOutlook;
import io.hdfsraid.raidapi.SavingsReport.Left;
import io.hdfsraid.raidnode.catalog.CensusLine;
import io.hdfsraid.raidnode.catalog.CensusReport;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.OutlookView;
import io.hdfsraid.raidnode.rounds.CapacityGates;
import io.hdfsraid.raidnode.rounds.PoliciesInForce;
import io.hdfsraid.raidnode.rounds.WorkingHours;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What the policies will do, by the last census and by what holds now. */
public final class CensusOutlook implements OutlookView {
  /** What would not save enough may be large: it stands with the reasons, by its own name. */
  private static final Set<Reason> SMALL = Set.of(Reason.TOO_SMALL, Reason.NO_COMPANY);

  private final Notes notes;
  private final PoliciesInForce policies;
  private final WorkingHours hours;
  private final CapacityGates gates;
  private final Supplier<Tuning> tuning;

  public CensusOutlook(
      Notes notes,
      PoliciesInForce policies,
      WorkingHours hours,
      CapacityGates gates,
      Supplier<Tuning> tuning) {
    this.notes = notes;
    this.policies = policies;
    this.hours = hours;
    this.gates = gates;
    this.tuning = tuning;
  }

  @Override
  public RaidingOutlook outlook(Optional<String> wanted) {
    Policies inForce = policies.policies();
    wanted.ifPresent(name -> check(name, inForce));
    CensusReport census =
        notes
            .record(Notes.CENSUS, CensusReport.class)
            .orElseThrow(
                () ->
                    new ApiFailure(
                        ErrorCode.NOT_READY,
                        "The files have not been counted yet",
                        "The first scan does that; 'raidshell status' shows when it has ended."));
    List<CensusLine> lines =
        census.lines().stream()
            .filter(line -> wanted.isEmpty() || wanted.get().equals(line.policy()))
            .toList();
    long rate = tuning.get().raiding().bytesPerSecond();
    return new RaidingOutlook(
        census.at(),
        census.files(),
        rate,
        inForce.inOrder().stream()
            .filter(Policy::raids)
            .filter(policy -> wanted.isEmpty() || wanted.get().equals(policy.name()))
            .map(policy -> outlook(policy, inForce, lines, rate))
            .toList(),
        left(lines),
        lines.stream()
            .filter(line -> line.reason().filter(SMALL::contains).isPresent())
            .map(line -> left("small", line))
            .reduce(new Left("small", 0, 0, 0), CensusOutlook::plus));
  }

  private static void check(String name, Policies inForce) {
    if (inForce.inOrder().stream().noneMatch(policy -> policy.name().equals(name))) {
      throw ApiFailure.notFound(
          "There is no policy " + name,
          "There are: " + String.join(", ", inForce.inOrder().stream().map(Policy::name).toList()));
    }
  }

  private PolicyOutlook outlook(
      Policy policy, Policies inForce, List<CensusLine> lines, long rate) {
    Candidates candidates =
        lines.stream()
            .filter(line -> line.reason().isEmpty() && line.policy().equals(policy.name()))
            .map(CensusOutlook::candidates)
            .reduce(Candidates.NONE, Candidates::plus);
    Openness now = hours.of(inForce, policy);
    return new PolicyOutlook(
        policy.name(),
        candidates,
        rate == Tuning.UNLIMITED ? Optional.empty() : Optional.of(time(candidates, policy, rate)),
        new Hours(now.open(), now.intensity(), now.until(), now.why()),
        policy.runs().capacity().map(CapacityRule::toString),
        policy.runs().capacity().map(rule -> gates.now(policy, rule).why()));
  }

  private static Candidates candidates(CensusLine line) {
    return new Candidates(
        line.files(), line.bytes(), line.physicalBytes(), line.bytesAfter(), line.objects());
  }

  /** Every byte is read once, and all replicas of parity are written. */
  private static Duration time(Candidates candidates, Policy policy, long rate) {
    long replicas = candidates.logicalBytes() * policy.protection().targetReplication();
    long parity = Math.max(0, candidates.afterBytes() - replicas);
    return Duration.ofSeconds((candidates.logicalBytes() + parity + rate - 1) / rate);
  }

  private static List<Left> left(List<CensusLine> lines) {
    Map<Reason, Left> byReason = new TreeMap<>();
    for (CensusLine line : lines) {
      line.reason()
          .ifPresent(
              reason -> byReason.merge(reason, left(reason.name(), line), CensusOutlook::plus));
    }
    return byReason.values().stream()
        .sorted(Comparator.comparingLong(Left::logicalBytes).reversed())
        .toList();
  }

  private static Left left(String name, CensusLine line) {
    return new Left(name, line.files(), line.bytes(), line.physicalBytes());
  }

  private static Left plus(Left one, Left other) {
    return new Left(
        one.reason(),
        one.files() + other.files(),
        one.logicalBytes() + other.logicalBytes(),
        one.physicalBytes() + other.physicalBytes());
  }
}
