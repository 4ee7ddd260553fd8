// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Replica;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;

/**
 * Sends requests to DataNodes over the data transfer protocol, secured as the client is. Connecting
 * and reading time out after {@code dfs.client.socket-timeout}.
 */
public final class HdfsDataNodes implements DataNodes {
  private final String blockPool;
  private final DFSClient client;
  private final ReplicaReader reader;
  private final ReplicaChecksum checksum;
  private final ReadTokens tokens;

  /**
   * @param blockPool block pool of the requested blocks
   */
  public HdfsDataNodes(DistributedFileSystem fileSystem, String blockPool, ReadTokens tokens) {
    this.blockPool = blockPool;
    this.client = fileSystem.getClient();
    Configuration conf = fileSystem.getConf();
    this.reader = new ReplicaReader(client, conf);
    this.checksum = new ReplicaChecksum(new DataNodeConnector(client, conf));
    this.tokens = tokens;
  }

  @Override
  public BlockInput open(Block block, Replica replica, long offset, long length)
      throws IOException {
    if (offset < 0 || length < 0 || offset > block.length() - length) {
      throw new IllegalArgumentException(
          "%d bytes from %d on are not inside %s".formatted(length, offset, block));
    }
    if (length == 0) {
      return new EmptyInput(block);
    }
    return withToken(
        block, (extended, token) -> reader.open(block, extended, token, replica, offset, length));
  }

  @Override
  public int checksum(Block block, Replica replica) throws IOException {
    return withToken(block, (extended, token) -> checksum.ask(extended, token, replica));
  }

  private interface TokenRequest<T> {
    T send(ExtendedBlock block, Token<BlockTokenIdentifier> token) throws IOException;
  }

  /**
   * Sends a request, and sends it once more with a fresh token if the DataNode may have refused the
   * first one.
   */
  private <T> T withToken(Block block, TokenRequest<T> request) throws IOException {
    ExtendedBlock extended = HadoopTypes.extendedBlock(blockPool, block);
    try {
      return request.send(extended, tokens.read(extended));
    } catch (IOException e) {
      if (e instanceof InvalidEncryptionKeyException) {
        client.clearDataEncryptionKey();
      } else if (!mayBeRefusal(e) || !refreshed(e)) {
        throw e;
      }
      try {
        return request.send(extended, tokens.read(extended));
      } catch (IOException again) {
        again.addSuppressed(e);
        throw again;
      }
    }
  }

  private boolean refreshed(IOException refusal) {
    try {
      return tokens.refresh();
    } catch (IOException e) {
      refusal.addSuppressed(e);
      return false;
    }
  }

  /**
   * Whether the DataNode may have refused the token. A DataNode that was restarted after the keys
   * were fetched closes the connection without an answer.
   */
  private static boolean mayBeRefusal(IOException e) {
    return e instanceof InvalidBlockTokenException
        || e instanceof SecretManager.InvalidToken
        || e instanceof EOFException
        || e.getClass() == SocketException.class;
  }
}
