// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import java.time.Duration;

/**
 * Ownership of the cluster, as the last question to the NameNode has shown it.
 *
 * @param problem a sentence with a remedy; empty if the ownership is held
 */
public record Ownership(State state, String problem) {
  /** Another process can take a lease that was not renewed for this time. */
  static final Duration LEASE = Duration.ofMinutes(1);

  /** Whether this process may change the cluster. */
  public enum State {
    HELD,
    /** The NameNode did not answer, or not clearly. */
    UNCONFIRMED,
    /** The root of the parity is not where it was. */
    ROOT_MOVED,
    /** This process has removed the owner file, for good. */
    WITHDRAWN,
    /** Another process is the writer, for good. */
    LOST
  }

  static Ownership held() {
    return new Ownership(State.HELD, "");
  }

  /**
   * Returns what is left of this ownership while the NameNode does not answer. It is held no longer
   * than its lease.
   *
   * @param age time since the NameNode has confirmed the ownership last
   * @param file the owner file
   */
  Ownership aged(Duration age, String file) {
    return state != State.HELD || age.compareTo(LEASE) <= 0
        ? this
        : new Ownership(
            State.UNCONFIRMED,
            "The NameNode has not confirmed for %d s that this RaidNode holds %s, so another one may hold it by now. Look whether the NameNode answers and who holds the file."
                .formatted(age.toSeconds(), file));
  }
}
