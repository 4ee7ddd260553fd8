package io.hdfsraid.raidnode.raid;

import java.io.IOException;
import java.util.Optional;

/**
 * Who still holds a block, asked by its id: the only question whose answer covers snapshots and
 * moved blocks.
 */
@FunctionalInterface
public interface BlockHolders {

  /**
   * The file that holds the block; empty only when the NameNode said that the block does not exist.
   * Takes the NameNode's global read lock: ask for doubtful blocks, not for all.
   *
   * @throws IOException when there was no clear answer, which proves nothing
   */
  Optional<Holder> holder(long blockId) throws IOException;

  /**
   * A file, live or in a snapshot, that holds a block.
   *
   * @param path as the NameNode prints it; can be stale when only a snapshot holds the block
   * @param liveReplicas of the block now
   */
  record Holder(String path, int liveReplicas) {}
}
