// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The NameNode's view of files and nodes. Reading it does not count as access: no access time
 * changes and no open is audited. Safe for concurrent use.
 */
public interface Namespace {

  /** Returns the file at a path; empty if there is none or if the path is a directory. */
  Optional<LocatedFile> file(String path) throws IOException;

  /**
   * Returns the file with an inode id. HDFS can resolve an inode path to another inode that has
   * taken its place. In that case the result is empty, never the other file.
   */
  Optional<LocatedFile> file(long inode) throws IOException;

  /**
   * Returns the version of the file at a path, which costs the same however many blocks the file
   * has; empty if there is none or if the path is a directory.
   */
  default Optional<FileVersion> version(String path) throws IOException {
    return file(path).map(LocatedFile::version);
  }

  /** Returns the version of the file with an inode id; empty where {@link #file(long)} is empty. */
  default Optional<FileVersion> version(long inode) throws IOException {
    return file(inode).map(LocatedFile::version);
  }

  /**
   * Sets the replication of the file with this inode id. Checks before and after the call that the
   * path used still resolves to this inode.
   *
   * @throws InodeGoneException if the inode does not exist, or if another file was changed instead.
   *     In the second case the replication of the other file is raised again before this method
   *     returns
   * @throws QuotaRefusedException if a quota does not allow that many replicas
   */
  void setReplication(long inode, int replication) throws IOException;

  /**
   * Raises the replication of a file again that this process has lowered too late, after another
   * daemon has taken over. Checks no fence. Does nothing if the file is gone, or has another
   * replication than that to which it was lowered. What somebody sets between the look and the call
   * is overwritten, with a value that is enough for plain replication.
   *
   * @return whether it was raised
   */
  boolean undoReduction(long inode, int lowered, int former) throws IOException;

  /**
   * Returns what a storage policy means for blocks with one replica.
   *
   * @param id as {@link LocatedFile#storagePolicy} gives it
   */
  default StoragePolicy storagePolicy(int id) throws IOException {
    return StoragePolicy.UNSPECIFIED;
  }

  /** Returns all live DataNodes. */
  List<NodeState> nodes() throws IOException;

  /** Returns the DataNodes that the NameNode has declared dead; empty where that is not known. */
  default List<UnresponsiveNode> deadNodes() throws IOException {
    return List.of();
  }

  /**
   * Returns the live DataNodes that have sent no heartbeat for the given time, by the NameNode's
   * own clock. By default the NameNode declares a node dead after ten minutes and lists its
   * replicas as live until then. Empty where that is not known, and if no node at all sends
   * heartbeats.
   */
  default List<UnresponsiveNode> staleNodes(Duration silence) throws IOException {
    return List.of();
  }
}
