// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

/**
 * Ownership of the cluster, as the last question to the NameNode has shown it.
 *
 * @param problem a sentence with a remedy; empty if the ownership is held
 */
public record Ownership(State state, String problem) {
  /** Whether this process may change the cluster. */
  public enum State {
    HELD,
    /** The NameNode did not answer, or not clearly. */
    UNCONFIRMED,
    /** The root of the parity is not where it was. */
    ROOT_MOVED,
    /** Another process is the writer, for good. */
    LOST
  }

  static Ownership held() {
    return new Ownership(State.HELD, "");
  }
}
