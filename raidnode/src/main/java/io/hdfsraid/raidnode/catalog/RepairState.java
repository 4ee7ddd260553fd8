// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.erasurecode.UnitSet;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * The repair of a stripe that has lost units. Each state is a record that offers only the steps
 * that leave it. A stripe that is whole again has no state: it leaves the {@link RepairLedger}.
 *
 * <pre>
 *   loss noticed ──▶ Waiting ─────start────▶ Running ──▶ (whole: removed)
 *                     ▲ ▲ ▲                    │
 *                     │ │ └──release, requeue──┤
 *                     │ └─wake─ Postponed ◀────┤ postpone, awaitNodes
 *                     ├──wake─ Parked ◀────────┤ park
 *                     └──wake─ Unrecoverable ◀─┘ giveUp
 * </pre>
 *
 * <p>A worker may also {@linkplain Idle#start start} a repair that does not wait, if an operator
 * asks for it. A check of an idle stripe may find it {@linkplain Idle#foundUnrecoverable
 * unrecoverable}. An operator may have a stripe {@linkplain #leave left alone} for a while.
 */
public sealed interface RepairState {
  /** No repair of a stripe at risk is put off for longer. */
  Duration LONGEST_AT_RISK = Duration.ofMinutes(10);

  /** No repair is put off for longer. */
  Duration LONGEST = Duration.ofDays(1);

  /** Returns the stripe and its losses. */
  DegradedStripe damage();

  RepairStatus status();

  /**
   * Returns why the repair does not run. While it waits or runs: why it did not run or failed last
   * time. May be empty.
   */
  String reason();

  /** Returns when the repair is tried again; empty if no time is set. */
  default Optional<Instant> wakeAt() {
    return Optional.empty();
  }

  /** Returns the same state with the result of a newer evaluation of the stripe. */
  RepairState judged(UnitSet lost, int furtherLosses, Instant now);

  /**
   * Leaves the stripe alone until the given time, as an operator asked. Empty if the repair is not
   * tried anyway: this must not hide that, nor start the repair when the time is over.
   */
  default Optional<Postponed> leave(Instant until) {
    return Optional.empty();
  }

  /** Returns the state in which a new process takes over this repair. */
  default RepairState afterRestart() {
    return this;
  }

  /** Returns the state in which the repair waits for no time, unless an operator has set it. */
  default RepairState woken() {
    return this;
  }

  /**
   * Returns the state without a time that can only come from a clock that was ahead: nothing waits
   * that long.
   */
  default RepairState withoutFuture(Instant now) {
    Duration longest = furtherLosses() <= 0 ? LONGEST_AT_RISK : LONGEST;
    return wakeAt().filter(at -> at.isAfter(now.plus(longest))).isPresent() ? woken() : this;
  }

  default StripeKey stripe() {
    return damage().key();
  }

  default long inode() {
    return damage().inode();
  }

  default String path() {
    return damage().path();
  }

  default String codec() {
    return damage().codec();
  }

  default UnitSet lost() {
    return damage().lost();
  }

  default int furtherLosses() {
    return damage().furtherLosses();
  }

  default String detectedBy() {
    return damage().detectedBy();
  }

  default Instant since() {
    return damage().since();
  }

  default int attempts() {
    return damage().attempts();
  }

  default long bytesRead() {
    return damage().bytesRead();
  }

  /**
   * Returns the status that users see. A stripe with too many losses is shown as unrecoverable also
   * while it waits for the next attempt and during that attempt.
   */
  default RepairStatus shownStatus() {
    return furtherLosses() < 0 ? RepairStatus.UNRECOVERABLE : status();
  }

  /** A repair on which no worker is working. */
  sealed interface Idle extends RepairState permits Waiting, Postponed, Parked, Unrecoverable {
    @Override
    Idle judged(UnitSet lost, int furtherLosses, Instant now);

    /** A worker begins with the repair. */
    default Running start() {
      return new Running(damage(), reason());
    }

    /**
     * The repair waits for a worker again. The reason is kept, so that a repeated failure can be
     * told from a new one.
     */
    default Waiting wake() {
      return new Waiting(damage(), reason());
    }

    /** A check has found that the remaining units do not determine the lost ones. */
    default Unrecoverable foundUnrecoverable(String why, Instant retryAt) {
      return new Unrecoverable(damage(), why, retryAt);
    }
  }

  /** Waits for a worker. */
  record Waiting(DegradedStripe damage, String reason) implements Idle {
    public Waiting {
      Objects.requireNonNull(damage, "damage");
      Objects.requireNonNull(reason, "reason");
    }

    /** A loss that has just been noticed. */
    public static Waiting noticed(DegradedStripe damage) {
      return new Waiting(damage, "");
    }

    @Override
    public RepairStatus status() {
      return RepairStatus.WAITING;
    }

    @Override
    public Waiting judged(UnitSet lost, int furtherLosses, Instant now) {
      return new Waiting(damage.judged(lost, furtherLosses, now), reason);
    }

    @Override
    public Optional<Postponed> leave(Instant until) {
      return Optional.of(Postponed.left(damage, until));
    }
  }

  /** A worker carries out the repair. */
  record Running(DegradedStripe damage, String reason) implements RepairState {
    public Running {
      Objects.requireNonNull(damage, "damage");
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public RepairStatus status() {
      return RepairStatus.RUNNING;
    }

    @Override
    public Running judged(UnitSet lost, int furtherLosses, Instant now) {
      return new Running(damage.judged(lost, furtherLosses, now), reason);
    }

    /** Counts an attempt that failed because of the stripe itself. */
    public Running attempted(long bytesRead) {
      return new Running(damage.attempted(bytesRead), reason);
    }

    /** The worker returns the repair without a result: it was interrupted, or others come first. */
    public Waiting release() {
      return new Waiting(damage, reason);
    }

    /** The units known at the beginning are repaired, but others have been lost meanwhile. */
    public Waiting requeue() {
      return new Waiting(damage, "");
    }

    /** The repair cannot be done now. */
    public Postponed postpone(String why, Instant until) {
      return new Postponed(damage, why, until);
    }

    /** The nodes with the lost units may return until the given time. */
    public Postponed awaitNodes(Instant until) {
      return new Postponed(damage, Postponed.NODES_MAY_RETURN, until);
    }

    /** The repair has failed too often and is not tried again until an operator asks for it. */
    public Parked park(String why) {
      return new Parked(damage, why);
    }

    /** The remaining units do not determine the lost ones. */
    public Unrecoverable giveUp(String why, Instant retryAt) {
      return new Unrecoverable(damage, why, retryAt);
    }

    @Override
    public Optional<Postponed> leave(Instant until) {
      return Optional.of(Postponed.left(damage, until));
    }

    @Override
    public Waiting afterRestart() {
      return release();
    }
  }

  /**
   * The repair waits until a given time.
   *
   * @param until when the repair is tried again
   */
  record Postponed(DegradedStripe damage, String reason, Instant until) implements Idle {
    private static final String LEFT_BY_OPERATOR = "An operator wants it left until then";
    private static final String NODES_MAY_RETURN = "Its nodes do not answer and may come back";

    public Postponed {
      Objects.requireNonNull(damage, "damage");
      Objects.requireNonNull(reason, "reason");
      until = until.truncatedTo(ChronoUnit.MILLIS);
    }

    private static Postponed left(DegradedStripe damage, Instant until) {
      return new Postponed(damage, LEFT_BY_OPERATOR, until);
    }

    /** Whether an operator wants the stripe left alone. */
    public boolean isLeftByOperator() {
      return reason.equals(LEFT_BY_OPERATOR);
    }

    /** Whether the repair waits for nodes that may return with the lost units. */
    public boolean awaitsNodes() {
      return reason.equals(NODES_MAY_RETURN);
    }

    @Override
    public RepairStatus status() {
      return RepairStatus.POSTPONED;
    }

    @Override
    public Optional<Instant> wakeAt() {
      return Optional.of(until);
    }

    @Override
    public RepairState woken() {
      return isLeftByOperator() ? this : wake();
    }

    @Override
    public Postponed judged(UnitSet lost, int furtherLosses, Instant now) {
      return new Postponed(damage.judged(lost, furtherLosses, now), reason, until);
    }

    @Override
    public Optional<Postponed> leave(Instant leaveUntil) {
      return Optional.of(left(damage, leaveUntil));
    }
  }

  /**
   * The repair has failed repeatedly and waits until an operator or a change of the stripe wakes
   * it.
   */
  record Parked(DegradedStripe damage, String reason) implements Idle {
    public Parked {
      Objects.requireNonNull(damage, "damage");
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public RepairStatus status() {
      return RepairStatus.PARKED;
    }

    @Override
    public Parked judged(UnitSet lost, int furtherLosses, Instant now) {
      return new Parked(damage.judged(lost, furtherLosses, now), reason);
    }
  }

  /**
   * Has lost too many units. It is tried again when a node returns, and at a given time.
   *
   * @param retryAt when the repair is tried again even if no node returns
   */
  record Unrecoverable(DegradedStripe damage, String reason, Instant retryAt) implements Idle {
    public Unrecoverable {
      Objects.requireNonNull(damage, "damage");
      Objects.requireNonNull(reason, "reason");
      retryAt = retryAt.truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public RepairStatus status() {
      return RepairStatus.UNRECOVERABLE;
    }

    @Override
    public Optional<Instant> wakeAt() {
      return Optional.of(retryAt);
    }

    @Override
    public RepairState woken() {
      return wake();
    }

    @Override
    public Unrecoverable judged(UnitSet lost, int furtherLosses, Instant now) {
      return new Unrecoverable(damage.judged(lost, furtherLosses, now), reason, retryAt);
    }
  }
}
