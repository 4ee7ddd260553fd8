// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.hdfs;

import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.hdfs.DataNodeConnector;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;

/**
 * Writes a block to a DataNode in the same way as a DataNode that replicates a block. This is the
 * only way to write a complete block that the DataNode finalises and acknowledges. A node that
 * already has a replica closes the connection.
 *
 * <p>The stage must be {@code TRANSFER_FINALIZED} and the client name must be empty. Then the
 * DataNode keeps the bytes as temporary until the last packet, and drops them if the connection
 * breaks before.
 */
public final class HdfsBlockDelivery implements BlockDelivery {
  private static final String NO_CLIENT = ""; // as a DataNode, not as a client in a pipeline
  private static final String ANY_STORAGE = "";
  private static final int BUFFER = 128 * 1024;

  private final DataNodeConnector link;
  private final String blockPool;
  private final WriteTokens tokens;
  private final int bytesPerChecksum;

  /**
   * @param blockPool block pool of the delivered blocks
   */
  public HdfsBlockDelivery(DistributedFileSystem fileSystem, String blockPool, WriteTokens tokens) {
    this.link = new DataNodeConnector(fileSystem);
    this.blockPool = blockPool;
    this.tokens = tokens;
    // The likely value of the client that wrote the file: getFileChecksum depends on it.
    this.bytesPerChecksum =
        fileSystem
            .getConf()
            .getInt(
                HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY,
                HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_DEFAULT);
  }

  @Override
  public Delivery open(Block block, DataNode target, String storageType) throws IOException {
    ExtendedBlock extended = HadoopTypes.extendedBlock(blockPool, block);
    StorageType type = StorageType.parseStorageType(storageType);
    Token<BlockTokenIdentifier> token = tokens.write(extended, type);
    DataChecksum checksum =
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, bytesPerChecksum);
    IOStreamPair connection = link.connect(target, token);
    try {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(connection.out, BUFFER));
      announce(out, extended, target, type, token, checksum);
      return new Packets(block, target, connection, new PacketWriter(out, checksum), tokens);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static void announce(
      DataOutputStream out,
      ExtendedBlock block,
      DataNode target,
      StorageType type,
      Token<BlockTokenIdentifier> token,
      DataChecksum checksum)
      throws IOException {
    DatanodeInfo[] targets = {HadoopTypes.datanodeInfo(target)};
    DatanodeInfo noSource = null;
    boolean[] noPinning = null;
    boolean allowLazyPersist = false;
    boolean pinning = false;
    new Sender(out)
        .writeBlock(
            block,
            type,
            token,
            NO_CLIENT,
            targets,
            new StorageType[] {type},
            noSource,
            BlockConstructionStage.TRANSFER_FINALIZED,
            0,
            0,
            0,
            0,
            checksum,
            CachingStrategy.newDropBehind(),
            allowLazyPersist,
            pinning,
            noPinning,
            ANY_STORAGE,
            new String[] {ANY_STORAGE});
  }

  private static final class Packets implements Delivery {
    private final Block block;
    private final DataNode target;
    private final IOStreamPair connection;
    private final PacketWriter packets;
    private final WriteTokens tokens;
    private long written;

    Packets(
        Block block,
        DataNode target,
        IOStreamPair connection,
        PacketWriter packets,
        WriteTokens tokens) {
      this.block = block;
      this.target = target;
      this.connection = connection;
      this.packets = packets;
      this.tokens = tokens;
    }

    @Override
    public void accept(ByteBuffer bytes) throws IOException {
      written += bytes.remaining();
      try {
        packets.write(bytes);
      } catch (IOException e) {
        throw perhapsRefused(e);
      }
    }

    @Override
    public void finish() throws IOException {
      if (written != block.length()) {
        throw new IOException(
            "%d bytes of %s were written to %s, which is not the length of the block: the NameNode would consider such a replica corrupt"
                .formatted(written, block, target));
      }
      try {
        packets.end();
        DataNodeConnector.expectSuccess(
            connection.in, "delivering %s to %s".formatted(block, target));
      } catch (IOException e) {
        throw perhapsRefused(e);
      }
    }

    /**
     * Refreshes the tokens after a failure. A DataNode that does not know the key of a token closes
     * the connection.
     */
    private IOException perhapsRefused(IOException failure) {
      try {
        tokens.refresh();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      return failure;
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }
}
