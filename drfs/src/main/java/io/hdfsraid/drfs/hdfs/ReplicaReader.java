// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.impl.BlockReaderFactory;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * Reads one replica through Hadoop's block reader, which is private to Hadoop. Only this class uses
 * {@link BlockReaderFactory}.
 */
final class ReplicaReader {
  private final DFSClient client;
  private final Configuration conf;
  private final UserGroupInformation user;

  ReplicaReader(DFSClient client, Configuration conf) {
    this.client = client;
    this.conf = conf;
    try {
      this.user = UserGroupInformation.getCurrentUser();
    } catch (IOException e) {
      throw new UncheckedIOException("The user of this process is not known", e);
    }
  }

  BlockInput open(
      Block block,
      ExtendedBlock extended,
      Token<BlockTokenIdentifier> token,
      Replica replica,
      long offset,
      long length)
      throws IOException {
    DatanodeInfo node = HadoopTypes.datanodeInfo(replica.node());
    boolean dropBehind = true; // these reads must not evict hot pages from the cache
    BlockReader reader;
    try {
      reader =
          new BlockReaderFactory(client.getConf())
              .setInetSocketAddress(
                  NetUtils.createSocketAddr(
                      node.getXferAddr(client.getConf().isConnectToDnViaHostname())))
              .setRemotePeerFactory(client)
              .setDatanodeInfo(node)
              .setStorageType(StorageType.parseStorageType(replica.storageType()))
              .setFileName(extended.toString())
              .setBlock(extended)
              .setBlockToken(token)
              .setStartOffset(offset)
              .setLength(length)
              .setVerifyChecksum(true)
              .setClientName(client.getClientName())
              .setCachingStrategy(new CachingStrategy(dropBehind, null))
              .setAllowShortCircuitLocalReads(false)
              .setClientCacheContext(client.getClientContext())
              .setUserGroupInformation(user)
              .setConfiguration(conf)
              .build();
    } catch (IOException e) {
      throw saysGone(e) ? new ReplicaGoneException(block, replica.node(), e) : e;
    }
    return new Input(reader, block, replica, length);
  }

  /**
   * Whether the failure is the DataNode's answer that it has no such replica. Only the text of the
   * answer is transmitted. A node with too many open files also answers that it does not find a
   * file.
   */
  private static boolean saysGone(IOException failure) {
    String answer = String.valueOf(failure.getMessage());
    return answer.contains("Got error, status=ERROR")
        && (answer.contains("ReplicaNotFoundException")
            || (answer.contains("FileNotFoundException")
                && !answer.contains("Too many open files")));
  }

  private static final class Input implements BlockInput {
    private final BlockReader reader;
    private final Block block;
    private final Replica replica;
    private long left;

    Input(BlockReader reader, Block block, Replica replica, long length) {
      this.reader = reader;
      this.block = block;
      this.replica = replica;
      this.left = length;
    }

    @Override
    public void readFully(ByteBuffer target) throws IOException {
      if (target.remaining() > left) {
        throw new EOFException(
            "%d bytes wanted, but only %d are left of the range of %s that was opened"
                .formatted(target.remaining(), left, block));
      }
      while (target.hasRemaining()) {
        int read;
        try {
          read = reader.read(target);
        } catch (ChecksumException e) {
          throw new CorruptReplicaException(block, replica.node(), e);
        }
        if (read < 0) {
          throw new EOFException(
              "The replica of %s on %s ends %d bytes early".formatted(block, replica.node(), left));
        }
        left -= read;
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
