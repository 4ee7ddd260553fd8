// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;
import java.util.Objects;

/**
 * The health of a stripe, with the findings that explain it.
 *
 * @param stripe the stripe as NameNode and findings together show it: a unit without a usable
 *     replica is LOST, and replicas that were found bad are not listed as live
 * @param lost the units to rebuild
 * @param furtherLosses number of further losses that the stripe is certain to tolerate, whichever
 *     units they hit; -1 if it does not tolerate the present losses; 0 if it is not certain that it
 *     does not, and some of the lost units can be rebuilt
 */
public record StripeHealth(
    LocatedStripe stripe,
    State state,
    UnitSet lost,
    int furtherLosses,
    List<UnitFinding> findings) {
  public StripeHealth {
    Objects.requireNonNull(stripe, "stripe");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(lost, "lost");
    findings = List.copyOf(findings);
  }

  /** The overall state of a stripe. */
  public enum State {
    /** Every unit has a replica without a known fault. */
    HEALTHY,
    /** Units are lost, and the remaining units determine them. */
    DEGRADED,
    /** The remaining units do not determine the lost ones, unless a node comes back. */
    UNRECOVERABLE,
    /** Units have changed since they were encoded, so there is not enough evidence to act on. */
    UNKNOWN
  }

  /**
   * Returns a sentence with numbers: which units are lost, of how many, what the code tolerates,
   * and what would help.
   */
  public String message() {
    return HealthMessage.of(this);
  }

  /**
   * Returns the lost units that the remaining units determine. They can be rebuilt in any state of
   * the stripe.
   */
  public UnitSet determined() {
    return state == State.DEGRADED ? lost : StripeJudge.determined(stripe, lost);
  }

  /**
   * Returns whether the stripe belongs into the queue of repairs: units are lost, and can be
   * rebuilt, or cannot be rebuilt for certain. Where that is not certain, a repair has nothing to
   * do unless some of the units can be rebuilt.
   */
  public boolean needsRepair() {
    return switch (state) {
      case HEALTHY -> false;
      case DEGRADED, UNRECOVERABLE -> true;
      case UNKNOWN -> !determined().isEmpty();
    };
  }

  /**
   * Returns the lost units that may not be lost permanently: the nodes that hold them do not answer
   * and may return.
   */
  public UnitSet unreachable() {
    return lost.minus(lost.minus(unanswered()));
  }

  /**
   * Returns the units of which the NameNode counts a replica whose node did not answer. If such a
   * unit has another replica, the NameNode may drop that one as excess and keep the silent one.
   */
  public UnitSet unanswered() {
    return UnitSet.of(
        findings.stream()
            .filter(finding -> finding.fault() == Fault.UNREACHABLE)
            .mapToInt(UnitFinding::unit));
  }

  /**
   * Returns the units of which the NameNode counts a replica that has not proven to be good: its
   * node did not answer, or the replica is bad. If such a unit has another replica, the NameNode
   * may drop that one as excess and keep the unproven one.
   */
  public UnitSet unproven() {
    return UnitSet.of(
        findings.stream()
            .filter(finding -> finding.replica().isPresent())
            .mapToInt(UnitFinding::unit));
  }

  /**
   * Returns bad replicas that must be reported to the NameNode. Otherwise it might keep them and
   * drop good ones.
   */
  public List<BadReplica> unreportedBadReplicas() {
    return findings.stream()
        .filter(
            finding -> finding.fault().provesLoss() && finding.source() != DetectionSource.NAMENODE)
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
