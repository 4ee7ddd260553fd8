// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.blockfixer.detect.CorruptFileList;
import io.hdfsraid.blockfixer.detect.DetachedBlocks;
import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.reheat.ReadLocality;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import io.hdfsraid.recency.NamespaceSources;
import io.hdfsraid.recency.listing.FileListing;
import java.io.IOException;
import java.util.Optional;

/** The cluster that a daemon works on: a real HDFS, or an in-memory one in tests. */
public interface Cluster {

  /** What the pipelines ask of it. */
  ClusterAccess access();

  BlockDelivery delivery();

  BlockMover mover();

  BadReplicaReports badReplicas();

  CorruptFileList losses();

  /** Finds blocks that their files do not contain any more. */
  DetachedBlocks detached();

  FileListing listing();

  /** Returns the marks of files that operators have unraided; there are none in memory. */
  default FileMarks marks() {
    return FileMarks.NONE;
  }

  /** Returns the sources of the namespace index. */
  NamespaceSources sources();

  /** Requests block reports of DataNodes; does nothing in memory. */
  default BlockReports blockReports() {
    return BlockReports.NONE;
  }

  /** How far its files are from their readers. */
  ReadLocality readLocality();

  Spaces spaces();

  /** The bound on calls of the NameNode; there is none until it is set. */
  NameNodeCalls calls();

  /** Returns the jobs that run in containers; empty if this process does all by itself. */
  default Optional<ContainerJobs> containers(ContainerJobs.Kind kind) {
    return Optional.empty();
  }

  /**
   * Removes the root, of which nothing is left but directories of ours and the owner file, which
   * goes last. This process cannot change anything any more then.
   *
   * @throws io.hdfsraid.drfs.parity.RefusedException when there is more in it; it stays then
   */
  void removeRoot() throws IOException;
}
