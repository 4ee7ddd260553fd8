package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.RefusedException;
import java.util.Objects;

/** The cluster and the block pool to whose blocks parity is bound. */
record ParityHome(String clusterId, String blockPool) {
  ParityHome {
    Objects.requireNonNull(clusterId, "clusterId");
    Objects.requireNonNull(blockPool, "blockPool");
  }

  /**
   * Says that parity is from elsewhere.
   *
   * @throws RefusedException naming both, and what to do about it
   */
  void require(ParityFile parity) throws RefusedException {
    Manifest manifest = parity.manifest();
    if (!manifest.clusterId().equals(clusterId) || !manifest.blockPool().equals(blockPool)) {
      throw new RefusedException(
          "%s protects blocks of cluster %s, block pool %s, but this is cluster %s, block pool %s: it was copied from another cluster and is never used. Move it out of the root of the parity"
              .formatted(
                  parity.file().path(),
                  manifest.clusterId(),
                  manifest.blockPool(),
                  clusterId,
                  blockPool));
    }
  }
}
