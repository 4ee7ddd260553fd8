// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;
import java.io.InputStream;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;

/** Connects to the data transfer port of DataNodes, secured as the client is. */
public final class DataNodeConnector {
  private final DFSClient client;
  private final Configuration conf;
  private final SocketFactory sockets;

  public DataNodeConnector(DistributedFileSystem fileSystem) {
    this(fileSystem.getClient(), new Configuration(fileSystem.getConf()));
  }

  DataNodeConnector(DFSClient client, Configuration conf) {
    this.client = client;
    this.conf = conf;
    this.sockets = NetUtils.getDefaultSocketFactory(conf);
  }

  /** Opens a connection that may read or write what the token allows. The caller closes it. */
  public IOStreamPair connect(DataNode node, Token<BlockTokenIdentifier> token) throws IOException {
    try {
      return connectOnce(node, token);
    } catch (InvalidEncryptionKeyException e) {
      client.clearDataEncryptionKey(); // it has expired; a new key is fetched
      return connectOnce(node, token);
    }
  }

  private IOStreamPair connectOnce(DataNode node, Token<BlockTokenIdentifier> token)
      throws IOException {
    return DFSUtilClient.connectToDN(
        HadoopTypes.datanodeInfo(node),
        client.getConf().getSocketTimeout(),
        conf,
        client.getSaslDataTransferClient(),
        sockets,
        client.getConf().isConnectToDnViaHostname(),
        client,
        token);
  }

  /** Reads the acknowledgement, which progress messages may precede. */
  public static void expectSuccess(InputStream in, String what) throws IOException {
    BlockOpResponseProto response;
    do {
      response = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
    } while (response.getStatus() == Status.IN_PROGRESS);
    DataTransferProtoUtil.checkBlockOpStatus(response, what);
  }
}
