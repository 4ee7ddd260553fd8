// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.mode;

import io.hdfsraid.raidnode.catalog.Notes;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * The operating mode that operators have set: policies run, policies are paused, or every file is
 * released. The mode is stored in the catalog, and {@link DecisionMirror} keeps a copy on HDFS.
 * Safe for concurrent use.
 */
public final class OperatingMode {
  static final String PAUSED = "policies-paused";
  static final String WITHDRAWAL = "withdrawal";
  private static final String WITHDRAWN = "withdrawn";
  private static final String ROOT_REMADE = "root-remade";
  static final String SET_BACK = "namespace-set-back";

  private final Notes notes;
  private final Clock clock;

  /** How far a withdrawal is to go; each goes on where the one before ends. */
  public enum Withdrawal {
    /** Every file has its replicas again, its parity is in quarantine. */
    UNRAID("unraid"),
    /** The parity is deleted as soon as no block needs it. */
    PURGE("purge"),
    /** The root is removed when nothing else is in it. */
    REMOVE_ROOT("remove-root");

    private final String tag;

    Withdrawal(String tag) {
      this.tag = tag;
    }

    public boolean purges() {
      return this != UNRAID;
    }

    static Withdrawal ofTag(String tag) {
      for (Withdrawal each : values()) {
        if (each.tag.equals(tag)) {
          return each;
        }
      }
      throw new IllegalArgumentException("There is no withdrawal '%s'".formatted(tag));
    }
  }

  public OperatingMode(Notes notes, Clock clock) {
    this.notes = notes;
    this.clock = clock;
  }

  /** Since when policies raid nothing; empty when they do. */
  public Optional<Instant> paused() {
    return notes.instant(PAUSED);
  }

  public void pause() {
    if (paused().isEmpty()) {
      notes.instant(PAUSED, clock.instant());
    }
  }

  /** Lets policies act again; a withdrawal ends where it is. */
  public void resume() {
    notes.remove(WITHDRAWAL);
    notes.remove(PAUSED);
    notes.remove(ROOT_REMADE);
    notes.remove(SET_BACK);
  }

  /**
   * Somebody has deleted the root, and the daemon has made it again: policies pause until an
   * operator, who should know why, resumes them.
   */
  public void rootWasRemade() {
    pause();
    notes.instant(ROOT_REMADE, clock.instant());
  }

  /** Returns when the root was made again; empty if it was not, or operators know of it. */
  public Optional<Instant> rootRemade() {
    return notes.instant(ROOT_REMADE);
  }

  /**
   * The namespace was set back to an earlier state, and decisions with it: policies pause, and a
   * withdrawal that may have been cancelled since does not go on, until an operator resumes the
   * policies or withdraws again.
   */
  public void namespaceWasSetBack() {
    pause();
    notes.remove(WITHDRAWAL);
    notes.instant(SET_BACK, clock.instant());
  }

  /** Returns when it was noticed that the namespace was set back; empty once operators know. */
  public Optional<Instant> namespaceSetBack() {
    return notes.instant(SET_BACK);
  }

  /** Lets every file go, so policies pause first. */
  public void withdraw(Withdrawal how) {
    pause();
    notes.remove(SET_BACK);
    notes.text(WITHDRAWAL, how.tag);
  }

  /** Returns the current withdrawal; empty if there is none or it has ended. */
  public Optional<Withdrawal> withdrawal() {
    return notes.text(WITHDRAWAL).map(Withdrawal::ofTag);
  }

  /**
   * Returns whether a withdrawal unraids everything or has done so: nothing may be raided then, not
   * even by an operator.
   */
  public boolean isWithdrawing() {
    return withdrawal().isPresent() || gone().isPresent();
  }

  /** A withdrawal has come to its end; policies stay paused. */
  public void withdrew() {
    notes.remove(WITHDRAWAL);
  }

  /** Nothing is left on the cluster, not even the root: this daemon does nothing more. */
  public void left() {
    notes.instant(WITHDRAWN, clock.instant());
    withdrew();
  }

  /** Since when nothing of us is on the cluster. */
  public Optional<Instant> gone() {
    return notes.instant(WITHDRAWN);
  }

  /** A daemon was started, which has made the root again. */
  public void returned() {
    notes.remove(WITHDRAWN);
  }
}
