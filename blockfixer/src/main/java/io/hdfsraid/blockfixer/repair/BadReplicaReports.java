package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;

/** Tells the NameNode of replicas that it wrongly holds to be good. */
@FunctionalInterface
public interface BadReplicaReports {

  /**
   * Reports one replica as corrupt. The NameNode believes it without checking and does not take it
   * back: only for replicas that are proven to be bad.
   */
  void report(Block block, Replica replica) throws IOException;
}
