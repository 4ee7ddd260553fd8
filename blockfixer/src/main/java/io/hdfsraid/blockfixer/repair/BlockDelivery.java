package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;

/** Puts the bytes of a block, under its id and generation stamp, on a DataNode. */
public interface BlockDelivery {

  /**
   * Starts a delivery. Several may be open at once.
   *
   * @param block exactly as the NameNode knows it: a DataNode accepts another generation stamp or
   *     length without a word, and the NameNode then takes the replica for corrupt
   * @param target holds no replica of the block, good or bad: it would refuse
   */
  Delivery open(Block block, DataNode target, String storageType) throws IOException;
}
