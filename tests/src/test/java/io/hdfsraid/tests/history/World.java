// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A cluster, its users, its faults, and the one daemon that raids on it. Used by one thread. */
interface World extends AutoCloseable {

  /** Block size of all files. */
  int blockSize();

  int nodes();

  /** How many files to read after each event. */
  int readsPerEvent();

  // What users do, by plain clients

  /** Writes a file and closes it; one that is there is overwritten. */
  void create(String path, byte[] bytes, int replication) throws IOException;

  void append(String path, byte[] bytes) throws IOException;

  /** Appends, makes the bytes durable, and keeps the file open. */
  void appendAndStayOpen(String path, byte[] bytes) throws IOException;

  /** Closes a file that was left open. */
  void closeFile(String path) throws IOException;

  void truncate(String path, int length) throws IOException;

  /** A file that is there is overwritten. */
  void rename(String from, String to) throws IOException;

  void delete(String path) throws IOException;

  void concat(String target, String source) throws IOException;

  void setReplication(String path, int replication) throws IOException;

  /** A snapshot of everything; there is one at most. */
  void snapshot() throws IOException;

  void deleteSnapshot() throws IOException;

  byte[] readInSnapshot(String path) throws IOException;

  /** As an application that reads through losses. */
  byte[] read(String path) throws IOException;

  byte[] readPlain(String path) throws IOException;

  // Faults, of which nobody is told

  /** A node dies; what is on its disk stays there. */
  void stop(int node) throws IOException;

  void start(int node) throws IOException;

  boolean isUp(int node);

  void deleteReplica(Block block, int node) throws IOException;

  void rot(Block block, int node) throws IOException;

  /** Somebody moves the root of the parity away; the daemon has it back by {@link #returnRoot}. */
  void moveRoot() throws IOException;

  /** Moves the root back; does nothing where it is in its place. */
  void returnRoot() throws IOException;

  boolean isRootAway() throws IOException;

  /** Somebody deletes the root, past the trash. */
  void deleteRoot() throws IOException;

  /** The clock of the daemon's machine is this far off from now on. */
  void setClockOff(Duration difference);

  /**
   * From now on, or no longer, an external authorizer decides who may read.
   *
   * @return false if this world cannot do that
   */
  default boolean authorize(boolean external) {
    return false;
  }

  /** Parity that others than the daemon may read although an authorizer may forbid it. */
  default List<String> readableParity() throws IOException {
    return List.of();
  }

  /**
   * A parity unit turns out to have been wrong when it was recorded.
   *
   * @return false if this world cannot do that
   */
  default boolean falsify(Block parity) {
    return false;
  }

  /**
   * Whether some parity of this file was falsified: a lost block may not be readable through it.
   */
  default boolean hasFalseParity(String path) throws IOException {
    return false;
  }

  /**
   * A replica on a disk.
   *
   * @param sound it holds what the block is meant to hold
   */
  record Copy(int node, boolean sound) {}

  /** Makes {@link #copies} tell how the disks are from now on. */
  void look();

  /**
   * All replicas of a block, also on nodes that are down.
   *
   * @param crc CRC32C of what it is meant to hold
   */
  List<Copy> copies(Block block, int crc) throws IOException;

  /** The NameNode copies and drops what it has to, and hears from its nodes. */
  void timePasses() throws IOException;

  /**
   * Waits until nothing of that is left to do, so that it is known what a fault would hit.
   *
   * @return false when it takes too long
   */
  boolean calm() throws IOException;

  /** How often to look, with {@link #timePasses} in between, for what must come true. */
  int patience();

  /** All that helps to find out why something does not come true. */
  default String describe() throws IOException {
    return "";
  }

  // The daemon

  /** How the daemon sees the cluster. */
  ClusterAccess access();

  void raid(long inode, Protection protection) throws IOException;

  /**
   * From now on, or no longer, the parity that the daemon computes is wrong.
   *
   * @return false if this world cannot do that
   */
  default boolean computeWrongParity(boolean wrong) {
    return false;
  }

  /** Raids files with parity that they share. */
  void raidTogether(List<Long> inodes, Protection protection) throws IOException;

  void unraid(long inode) throws IOException;

  /** Reconciles everything that has parity, checks it, and repairs what is lost. */
  void round() throws IOException;

  /** Removes drafts and what has been in quarantine for long enough. */
  void sweep() throws IOException;

  /** Listens to the steps of the daemon from now on. */
  void listen(StepListener steps);

  /** The daemon dies where it is, and another one starts. */
  void restartDaemon() throws IOException;

  @Override
  void close() throws IOException;
}
