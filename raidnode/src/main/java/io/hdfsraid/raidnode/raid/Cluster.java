package io.hdfsraid.raidnode.raid;

import io.hdfsraid.blockfixer.detect.LossReports;
import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.blockfixer.repair.BadReplicaReports;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.raidnode.recency.NamespaceSources;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import java.io.IOException;

/** The cluster that a daemon works on: a real HDFS, or one that only exists in memory. */
public interface Cluster {

  /** What the pipelines ask of it. */
  ClusterAccess access();

  BlockDelivery delivery();

  BlockMover mover();

  BadReplicaReports badReplicas();

  LossReports losses();

  Listing listing();

  /** What the index of the namespace is made of. */
  NamespaceSources sources();

  Spaces spaces();

  /** The bound on calls of the NameNode; there is none until it is set. */
  NameNodeCalls calls();

  /**
   * Removes the root, of which nothing is left but directories of ours and the owner file, which
   * goes last. This process cannot change anything any more then.
   *
   * @throws io.hdfsraid.drfs.parity.RefusedException when there is more in it; it stays then
   */
  void removeRoot() throws IOException;
}
