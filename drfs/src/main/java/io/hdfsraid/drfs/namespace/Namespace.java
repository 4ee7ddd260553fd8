package io.hdfsraid.drfs.namespace;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The NameNode's view of files and nodes. Looking does not count as access: no access time is
 * touched and nothing is audited as an open. Safe for concurrent use.
 */
public interface Namespace {

  /** The file at a path; empty when there is none or it is a directory. */
  Optional<FileState> file(String path) throws IOException;

  /**
   * The file with an inode id. An inode path can resolve to another inode that has taken its place;
   * that answer is empty here, never the other file.
   */
  Optional<FileState> file(long inode) throws IOException;

  /**
   * Sets the replication of the file with this inode id, after and before making sure that the path
   * used still means it.
   *
   * @throws InodeGoneException when the inode does not live, or something else turned out to have
   *     been changed (whose replication is then raised again before this returns)
   * @throws QuotaRefusedException when a quota does not allow so many replicas
   */
  void setReplication(long inode, int replication) throws IOException;

  /**
   * What a storage policy means for blocks of one replica.
   *
   * @param id as {@link FileState#storagePolicy} gives it
   */
  default StoragePolicy storagePolicy(int id) throws IOException {
    return StoragePolicy.UNSPECIFIED;
  }

  /** All live DataNodes. */
  List<NodeState> nodes() throws IOException;

  /** The DataNodes that the NameNode has given up; empty where that is not known. */
  default List<SilentNode> silentNodes() throws IOException {
    return List.of();
  }

  /**
   * Live DataNodes that have sent no heartbeat for so long, by the NameNode's own clock. It gives
   * them up after ten minutes by default, and until then shows what they hold as live. Empty where
   * that is not known, and when it hears of none at all.
   */
  default List<SilentNode> quietNodes(Duration silence) throws IOException {
    return List.of();
  }
}
