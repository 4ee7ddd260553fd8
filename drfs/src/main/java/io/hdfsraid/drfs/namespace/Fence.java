// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.io.IOException;

/**
 * Fencing of the single writer: a check that this process still is the only writer. Each commit,
 * each reduction and each delivery passes the fence first. HDFS has no conditional change, so each
 * change is checked again right before it is sent.
 */
@FunctionalInterface
public interface Fence {
  /** The fence of a process that is the only writer by agreement, such as a test. */
  Fence OPEN = () -> {};

  /**
   * Asks the NameNode. Returns only if no other daemon can have taken over.
   *
   * @throws DeposedException if another daemon has taken over, now or earlier
   * @throws UnconfirmedOwnershipException if that cannot be ruled out; the caller must not proceed
   * @throws IOException if this process must not change anything for another reason
   */
  void pass() throws IOException;

  /**
   * Passes as {@link #pass} does, but believes an answer of the NameNode that is a few seconds old:
   * less than another daemon needs to take over. The time counts on while this process is stopped.
   */
  default void recheck() throws IOException {
    pass();
  }

  /**
   * Returns how many processes have been the only writer so far, this one included; 0 if nobody
   * counts them. It is part of what this process writes, so that one can tell whose it was.
   */
  default long epoch() {
    return 0;
  }

  /**
   * Checks again before replication is raised. That loses nothing, whoever does it, so it needs no
   * confirmed ownership: the file may have lost its parity together with the owner file.
   */
  default void recheckForRaise() throws IOException {
    try {
      recheck();
    } catch (UnconfirmedOwnershipException e) {
      // nothing says that another daemon works on the cluster
    }
  }
}
