// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.RefusedException;
import java.util.Objects;

/** The cluster and block pool whose blocks the parity protects. */
record ClusterIdentity(String clusterId, String blockPool) {
  ClusterIdentity {
    Objects.requireNonNull(clusterId, "clusterId");
    Objects.requireNonNull(blockPool, "blockPool");
  }

  /**
   * Rejects parity of another cluster. The block pool decides: no two have the same, and an upgrade
   * of HDFS with {@code -clusterid} changes the cluster's id only.
   *
   * @throws RefusedException if the parity belongs to another block pool
   */
  void require(ParityFile parity) throws RefusedException {
    Manifest manifest = parity.manifest();
    if (!manifest.blockPool().equals(blockPool)) {
      throw new RefusedException(
          "%s protects blocks of cluster %s, block pool %s, but this is cluster %s, block pool %s: it was copied from another cluster and is not used. Move it out of the root of the parity"
              .formatted(
                  parity.file().path(),
                  manifest.clusterId(),
                  manifest.blockPool(),
                  clusterId,
                  blockPool));
    }
  }
}
