package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import java.util.List;

/** Which replica of a block to read first. */
@FunctionalInterface
public interface ReplicaPreference {
  /** As the NameNode lists them: nearest first when it knows where the client is. */
  ReplicaPreference AS_LISTED = LocatedBlock::live;

  /** The live replicas of the block that may be read, best first. */
  List<Replica> order(LocatedBlock block);
}
