// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.DataNodeConnector;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * Moves a replica as HDFS's balancer does: the target copies it from its present node, verifies
 * checksums, and tells the NameNode which replica to drop.
 */
public final class HdfsBlockMover implements BlockMover {
  private static final String ANY_STORAGE = "";

  private final DataNodeConnector link;
  private final String blockPool;
  private final WriteTokens tokens;

  /**
   * @param blockPool block pool of the moved blocks
   */
  public HdfsBlockMover(DistributedFileSystem fileSystem, String blockPool, WriteTokens tokens) {
    this.link = new DataNodeConnector(fileSystem);
    this.blockPool = blockPool;
    this.tokens = tokens;
  }

  @Override
  public void move(Block block, Replica from, DataNode to) throws IOException {
    try {
      moveOnce(block, from, to);
    } catch (IOException e) {
      if (!tokens.refresh()) {
        throw e;
      }
      moveOnce(block, from, to);
    }
  }

  private void moveOnce(Block block, Replica from, DataNode to) throws IOException {
    ExtendedBlock extended = HadoopTypes.extendedBlock(blockPool, block);
    StorageType type = StorageType.parseStorageType(from.storageType());
    Token<BlockTokenIdentifier> token = tokens.replace(extended, type);
    try (IOStreamPair connection = link.connect(to, token)) {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(connection.out));
      new Sender(out)
          .replaceBlock(
              extended,
              type,
              token,
              from.node().uuid(),
              HadoopTypes.datanodeInfo(from.node()),
              ANY_STORAGE);
      DataNodeConnector.expectSuccess(
          connection.in, "moving %s from %s to %s".formatted(block, from.node(), to));
    }
  }
}
