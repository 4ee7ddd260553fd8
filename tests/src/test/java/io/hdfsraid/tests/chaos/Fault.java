// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.chaos;

/** A fault of the cluster or of a daemon. */
enum Fault {
  /** Kills a DataNode as {@code kill -9} does, and starts it again. */
  DATANODE_DIES(Victim.DATANODE),
  /** Stops a DataNode as {@code kill -STOP} does: its connections stay open. */
  DATANODE_FREEZES(Victim.DATANODE),
  /** Stops a DataNode and lets it go on, again and again: it does everything late. */
  DATANODE_SLOW(Victim.DATANODE),
  /** Leaves no byte free on the disk of a DataNode; only where a user may mount small disks. */
  DISK_FULL(Victim.DATANODE),
  /** Deletes all replicas of a block of a raided file from the disks. */
  BLOCK_LOST(Victim.BLOCK),
  /** Changes bytes of all replicas of a block of a raided file. */
  BLOCK_ROTS(Victim.BLOCK),
  NAMENODE_DIES(Victim.NAMENODE),
  NAMENODE_HANDS_OVER(Victim.NAMENODE),
  JOURNAL_DIES(Victim.JOURNAL),
  DAEMON_DIES(Victim.DAEMON),
  DAEMON_FREEZES(Victim.DAEMON),
  /** Lets no RPC pass between the active daemon and any NameNode. */
  DAEMON_CUT_OFF(Victim.DAEMON),
  /** Makes each RPC between the active daemon and a NameNode take long. */
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
