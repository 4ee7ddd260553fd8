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
 * and what was lowered too late is raised again. Safe for concurrent use.
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
    } catch (IOException e) {
      try {
        raiseIfDeposed(inode, manifest); // the answer may be lost
      } catch (IOException deposed) {
        deposed.addSuppressed(e);
        throw deposed;
      }
      throw e;
    }
    raiseIfDeposed(inode, manifest);
  }

  private void raiseIfDeposed(long inode, Manifest manifest) throws IOException {
    try {
      cluster.fence().recheck();
    } catch (DeposedException e) {
      LOG.warn(
          "The replication of inode {} may have been lowered after another daemon has taken over; it is raised to {} again",
          inode,
          manifest.originalReplication());
      cluster.namespace().setReplication(inode, manifest.originalReplication());
      throw e;
    }
  }
}
