// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.blockfixer.repair.RepairTally;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairState.Running;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.schedule.Failures;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the result of each repair: the next state in the ledger, an entry in the history, a line
 * in the log, and the statistics. Safe for concurrent use.
 */
public final class RepairResults {
  private static final Logger LOG = LoggerFactory.getLogger(RepairResults.class);

  /**
   * The failures that count against a stripe. Other failures (no node can take a unit, another task
   * works on the stripe) say nothing about the stripe.
   */
  private static final Set<RepairOutcome.Reason> COUNTED =
      EnumSet.of(
          RepairOutcome.Reason.NODES_FAILED,
          RepairOutcome.Reason.WRONG_CONTENT,
          RepairOutcome.Reason.NOT_CONFIRMED);

  private final RepairLedger ledger;
  private final RepairSchedule schedule;
  private final CrowdedUnits crowded;
  private final Consumer<StripeHealth> met;
  private final WrongParity wrongParity;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;
  private final RepairTally tally = new RepairTally();
  private final RecentRate rate;

  /**
   * @param crowded receives the repairs that placed units in crowded places
   * @param met receives the health of a stripe that the reads of a repair have shown to be
   *     unrecoverable
   * @param wrongParity called for parity that does not belong to its data
   */
  public RepairResults(
      RepairLedger ledger,
      RepairSchedule schedule,
      CrowdedUnits crowded,
      Consumer<StripeHealth> met,
      WrongParity wrongParity,
      Journal journal,
      RaidEvents events,
      Clock clock) {
    this.ledger = ledger;
    this.schedule = schedule;
    this.crowded = crowded;
    this.met = met;
    this.wrongParity = wrongParity;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
    this.rate = new RecentRate(clock);
  }

  /** Returns what repairs have cost since the start. */
  public RepairTally tally() {
    return tally;
  }

  /** Returns how fast stripes have been repaired recently. */
  public RecentRate rate() {
    return rate;
  }

  /** Returns the repair with what was just found of its stripe. */
  Running judged(Running repair, UnitSet lost, int furtherLosses) {
    return repair.judged(lost, furtherLosses, clock.instant());
  }

  /** Records how the attempt to carry out a plan ended. */
  void ended(Running repair, RepairPlan plan, RepairOutcome outcome, String by) {
    if (outcome instanceof RepairOutcome.Repaired repaired) {
      repaired(repair, plan, repaired, by);
    } else if (outcome instanceof RepairOutcome.WrongParity wrong) {
      wrong(repair, wrong, by);
    } else if (outcome instanceof RepairOutcome.Postponed postponed) {
      failed(repair, postponed, by);
    } else if (outcome instanceof RepairOutcome.Unrecoverable unrecoverable) {
      // A checksum query does not see bit rot and would report the stripe as recoverable again.
      StripeHealth health = unrecoverable.health();
      met.accept(health);
      Running worse = judged(repair, health.lost(), health.furtherLosses());
      setAside(repair, worse.giveUp(outcome.message(), later(worse)), by);
    }
    events.repaired(outcome, plan.health().lost().size());
  }

  private void wrong(Running repair, RepairOutcome.WrongParity wrong, String by) {
    tally.add(wrong.repaired());
    try {
      wrongParity.found(repair.inode(), wrong.message(), by);
      ledger.remove(repair.stripe()); // it is no stripe of anything any more
    } catch (IOException e) {
      setAside(repair, repair.postpone(wrong.message() + ". " + e.getMessage(), later(repair)), by);
    }
  }

  private void repaired(
      Running repair, RepairPlan plan, RepairOutcome.Repaired repaired, String by) {
    tally.add(repaired);
    rate.add(repaired.bytesRead());
    if (repaired.crowded()) {
      crowded.add(repair.inode());
    }
    // The ledger has the losses that others have noticed meanwhile.
    UnitSet known = ledger.find(repair.stripe()).map(RepairState::lost).orElse(UnitSet.none());
    UnitSet rest = repair.lost().plus(known).minus(repaired.units());
    UnitSet unproven = plan.health().unanswered().plus(repaired.unproven());
    boolean restIsUncertain =
        plan.health().state() == State.UNKNOWN && plan.undetermined().containsAll(rest);
    if (!known.minus(repair.lost()).minus(repaired.units()).isEmpty()) {
      ledger.put(judged(repair, rest, Math.max(0, repair.furtherLosses())).requeue());
    } else if (rest.isEmpty() || restIsUncertain) {
      // What is not lost for certain is judged again when more is known.
      if (unproven.isEmpty()) {
        ledger.remove(repair.stripe());
      } else {
        unsettled(judged(repair, unproven, repair.furtherLosses()), by);
      }
    } else {
      Running partial = judged(repair, rest, repair.furtherLosses());
      setAside(
          repair,
          plan.undetermined().containsAll(rest)
              ? partial.giveUp(
                  "Units %s were rebuilt; what is left does not determine units %s"
                      .formatted(repaired.units(), rest),
                  later(repair))
              : partial.postpone(
                  "Units %s were rebuilt; no DataNode took units %s"
                      .formatted(repaired.units(), rest),
                  later(repair)),
          by);
    }
    journal.note(
        "repaired",
        Optional.of(repair.inode()),
        repair.path(),
        true,
        by,
        repaired.message(),
        repaired.bytesRead(),
        repaired.bytesWritten());
    LOG.atInfo()
        .addKeyValue("stripe", repair.stripe())
        .addKeyValue("path", repair.path())
        .addKeyValue("losses", repaired.losses())
        .addKeyValue("bytesRead", repaired.bytesRead())
        .log("repaired");
  }

  /**
   * Parks a stripe only if its repair keeps failing by itself, and never while one more loss may be
   * too many.
   */
  private void failed(Running repair, RepairOutcome.Postponed postponed, String by) {
    if (!COUNTED.contains(postponed.reason())) {
      setAside(repair, repair.postpone(postponed.message(), later(repair)), by);
      return;
    }
    Running tried = repair.attempted(postponed.bytesRead());
    boolean parked =
        tried.attempts() >= schedule.parkAfter() && tried.furtherLosses() > RepairOrder.AT_RISK;
    setAside(
        repair,
        parked
            ? tried.park(postponed.message())
            : tried.postpone(
                postponed.message(),
                clock.instant().plus(schedule.backOff(tried.attempts(), isAtRisk(tried)))),
        by);
  }

  /**
   * Records that units were rebuilt in addition to replicas that have not proven to be good. The
   * NameNode counts both. It drops one of them, perhaps the new one, and after a failover that
   * takes hours.
   *
   * @param rebuilt has these units as lost
   */
  void unsettled(Running rebuilt, String by) {
    setAside(
        rebuilt,
        rebuilt.postpone(
            "Units %s are whole, but the NameNode also counts replicas of them that are bad or whose nodes do not answer, and may drop the good ones as excess"
                .formatted(rebuilt.lost()),
            later(rebuilt)),
        by);
  }

  /** Records that there is no plan to repair a stripe now. */
  void withoutPlan(Running repair, boolean unrecoverable, String why, String by) {
    Instant later = later(repair);
    setAside(repair, unrecoverable ? repair.giveUp(why, later) : repair.postpone(why, later), by);
  }

  /** Records that an attempt has failed unexpectedly. */
  void broke(Running repair, Throwable failure) {
    LOG.atLevel(journal.levelOf(failure))
        .addKeyValue("stripe", repair.stripe())
        .addKeyValue("path", repair.path())
        .setCause(failure)
        .log("repair failed; it will be tried again");
    ledger.put(repair.postpone(Failures.words(failure), later(repair)));
  }

  /** Records that an operator wants a stripe left alone. */
  void left(RepairState left, String by) {
    journal.note("left", Optional.of(left.inode()), left.path(), true, by, left.reason(), 0, 0);
  }

  private void setAside(Running before, RepairState.Idle after, String by) {
    // A repeated reason is not reported again, unless the stripe is not tried any more.
    if (!before.reason().equals(after.reason()) || after.status() == RepairStatus.PARKED) {
      journal.note(
          after.status().tag(),
          Optional.of(after.inode()),
          after.path(),
          false,
          by,
          after.reason(),
          0,
          0);
      LOG.atWarn()
          .addKeyValue("stripe", after.stripe())
          .addKeyValue("path", after.path())
          .addKeyValue("status", after.status().tag())
          .log(after.reason());
    }
    ledger.put(after);
  }

  /** Returns when to try again after a failure that does not count against the stripe. */
  private Instant later(Running repair) {
    Instant now = clock.instant();
    return now.plus(schedule.backOff(Duration.between(repair.since(), now), isAtRisk(repair)));
  }

  private static boolean isAtRisk(RepairState repair) {
    return repair.furtherLosses() <= RepairOrder.AT_RISK;
  }
}
