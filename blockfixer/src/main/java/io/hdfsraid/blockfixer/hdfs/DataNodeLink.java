package io.hdfsraid.blockfixer.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
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
final class DataNodeLink {
  private final DFSClient client;
  private final Configuration conf;
  private final SocketFactory sockets;

  DataNodeLink(DistributedFileSystem fileSystem) {
    this.client = fileSystem.getClient();
    this.conf = new Configuration(fileSystem.getConf());
    this.sockets = NetUtils.getDefaultSocketFactory(conf);
  }

  IOStreamPair connect(DataNode node, Token<BlockTokenIdentifier> token) throws IOException {
    try {
      return connectOnce(node, token);
    } catch (InvalidEncryptionKeyException e) {
      client.clearDataEncryptionKey(); // it has expired; the next one is fetched
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

  /** Reads the acknowledgement, which can be preceded by signs of life. */
  static void expectSuccess(InputStream in, String what) throws IOException {
    BlockOpResponseProto response;
    do {
      response = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
    } while (response.getStatus() == Status.IN_PROGRESS);
    DataTransferProtoUtil.checkBlockOpStatus(response, what);
  }
}
