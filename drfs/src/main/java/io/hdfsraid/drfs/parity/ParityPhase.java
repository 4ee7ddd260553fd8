// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

/**
 * The phase of the protection of a file by its parity. The phase is stored on the parity file
 * itself. After a restart it tells the daemon what a replication count means: not lowered yet, set
 * by a user, or raised by the daemon to give up the parity.
 */
public enum ParityPhase {
  /**
   * The parity is committed; the daemon has not lowered the replication of the source yet, or has
   * not recorded that it has.
   */
  COMMITTED("committed"),
  /**
   * The daemon has lowered the replication of the source. A different value now was set by a user.
   */
  REDUCED("reduced"),
  /**
   * The parity is being given up: the replication of the source has been raised or is about to be
   * raised.
   */
  UNRAIDING("retiring");

  private final String tag;

  ParityPhase(String tag) {
    this.tag = tag;
  }

  /** Returns the text that is stored on HDFS. */
  public String tag() {
    return tag;
  }

  /**
   * Returns the phase with the given tag.
   *
   * @throws IllegalArgumentException if there is no such phase, because a newer version wrote the
   *     tag
   */
  public static ParityPhase ofTag(String tag) {
    for (ParityPhase phase : values()) {
      if (phase.tag.equals(tag)) {
        return phase;
      }
    }
    throw new IllegalArgumentException(
        "Unknown phase '%s' on a parity file; was it written by a newer version?".formatted(tag));
  }
}
