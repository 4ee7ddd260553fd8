// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.chaos;

/** A fault of the cluster or of a daemon. */
enum Fault {
  /** As by {@code kill -9}; it is started again. */
  DATANODE_DIES(Victim.DATANODE),
  /** As by {@code kill -STOP}: its connections stay open. */
  DATANODE_FREEZES(Victim.DATANODE),
  /** All replicas of a block of a raided file are deleted from the disks. */
  BLOCK_LOST(Victim.BLOCK),
  /** Bytes of all replicas of a block of a raided file change. */
  BLOCK_ROTS(Victim.BLOCK),
  NAMENODE_DIES(Victim.NAMENODE),
  NAMENODE_HANDS_OVER(Victim.NAMENODE),
  JOURNAL_DIES(Victim.JOURNAL),
  DAEMON_DIES(Victim.DAEMON),
  DAEMON_FREEZES(Victim.DAEMON),
  /** No RPC passes between the active daemon and any NameNode. */
  DAEMON_CUT_OFF(Victim.DAEMON),
  /** Each RPC between the active daemon and a NameNode takes long. */
  DAEMON_FAR_AWAY(Victim.DAEMON);

  private final Victim victim;

  private enum Victim {
    DATANODE,
    BLOCK,
    NAMENODE,
    JOURNAL,
    DAEMON
  }

  Fault(Victim victim) {
    this.victim = victim;
  }

  /** Returns whether the cluster and the code bear both at once. */
  boolean mayBeBeside(Fault other) {
    return victim != other.victim;
  }
}
