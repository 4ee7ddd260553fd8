// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.DeposedException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lowers the replication of files, which is the point of no return. HDFS carries the call out
 * whenever it arrives: also if this process was stopped, or cut off, after the fence let it pass,
 * and another daemon has let the file go meanwhile. So the fence is checked after the call, too,
 * and what was lowered too late is raised again, whatever the fence says. Safe for concurrent use.
 */
public final class ReplicationReduction {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicationReduction.class);

  private final ClusterAccess cluster;

  public ReplicationReduction(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /**
   * Lowers the replication of a file to what the manifest asks for. The caller has passed the fence
   * right before.
   *
   * @throws DeposedException if another daemon has taken over meanwhile; the replication is what
   *     the manifest has recorded again
   */
  public void lower(long inode, Manifest manifest) throws IOException {
    try {
      cluster.namespace().setReplication(inode, manifest.targetReplication());
    } catch (DeposedException e) {
      throw e; // nothing was sent
    } catch (IOException e) {
      try {
        undoIfDeposed(inode, manifest); // the answer may be lost
      } catch (IOException deposed) {
        deposed.addSuppressed(e);
        throw deposed;
      }
      throw e;
    }
    undoIfDeposed(inode, manifest);
  }

  private void undoIfDeposed(long inode, Manifest manifest) throws IOException {
    try {
      cluster.fence().recheck();
    } catch (DeposedException deposed) {
      undo(inode, manifest, deposed);
      throw deposed;
    }
  }

  private void undo(long inode, Manifest manifest, DeposedException deposed) {
    int former = manifest.originalReplication();
    try {
      cluster.namespace().undoReduction(inode, manifest.targetReplication(), former);
      LOG.warn(
          "The replication of inode {} was lowered while another daemon took over, perhaps after it; it is {} again",
          inode,
          former);
    } catch (IOException e) {
      deposed.addSuppressed(e);
      LOG.error(
          "The replication of inode {} was lowered while another daemon took over, perhaps after it, and could not be raised to {} again: if the file has no parity, raise it by hand",
          inode,
          former,
          e);
    }
  }
}
