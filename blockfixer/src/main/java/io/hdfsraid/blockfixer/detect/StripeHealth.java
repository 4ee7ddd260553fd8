package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;
import java.util.Objects;

/**
 * How a stripe stands, and why.
 *
 * @param stripe as NameNode and findings together show it: a unit without a usable replica is LOST,
 *     and replicas that were found bad are not among the live ones of the others
 * @param lost the units to rebuild
 * @param furtherLosses how many more losses it is certain to bear, wherever they fall; -1 when it
 *     cannot even bear these
 */
public record StripeHealth(
    LocatedStripe stripe, State state, UnitSet lost, int furtherLosses, List<Finding> findings) {
  public StripeHealth {
    Objects.requireNonNull(stripe, "stripe");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(lost, "lost");
    findings = List.copyOf(findings);
  }

  /** What may be done with a stripe. */
  public enum State {
    /** Every unit has a replica that nothing speaks against. */
    HEALTHY,
    /** Units are lost, and the others determine them. */
    DEGRADED,
    /** The units that are left do not determine the lost ones, unless a node comes back. */
    UNRECOVERABLE,
    /** Units have changed since they were encoded, so there is not enough evidence to act on. */
    UNKNOWN
  }

  /** The arithmetic in words: which units, of how many, what the code bears, what would help. */
  public String message() {
    return HealthMessage.of(this);
  }

  /**
   * Lost units of which nothing proves that they are lost for good: the nodes that hold them do not
   * answer, and may come back.
   */
  public UnitSet unreachable() {
    UnitSet seen =
        UnitSet.of(
            findings.stream()
                .filter(finding -> finding.fault() == Fault.UNREACHABLE)
                .mapToInt(Finding::unit));
    return lost.minus(lost.minus(seen));
  }

  /** Replicas that the NameNode must be told of, else it may keep them and drop good ones. */
  public List<BadReplica> unreportedBadReplicas() {
    return findings.stream()
        .filter(finding -> finding.fault().provesLoss() && finding.source() != Source.NAMENODE)
        .flatMap(
            finding ->
                finding.replica().stream()
                    .map(
                        replica ->
                            new BadReplica(
                                finding.unit(), finding.block(), replica, finding.fault())))
        .distinct()
        .toList();
  }
}
