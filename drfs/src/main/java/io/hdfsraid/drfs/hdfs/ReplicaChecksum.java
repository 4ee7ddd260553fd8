package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.Replica;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ChecksumTypeProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * Requests the CRC32C of a replica from a DataNode. HDFS's client can request checksums of whole
 * files only.
 */
final class ReplicaChecksum {
  private final DataNodeConnector nodes;

  ReplicaChecksum(DataNodeConnector nodes) {
    this.nodes = nodes;
  }

  /**
   * Returns the CRC of the first {@code block.getNumBytes()} bytes, even if the replica is longer.
   */
  int ask(ExtendedBlock block, Token<BlockTokenIdentifier> token, Replica replica)
      throws IOException {
    try (IOStreamPair connection = nodes.connect(replica.node(), token)) {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(connection.out));
      new Sender(out)
          .blockChecksum(block, token, new BlockChecksumOptions(BlockChecksumType.COMPOSITE_CRC));
      BlockOpResponseProto response =
          BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(connection.in));
      DataTransferProtoUtil.checkBlockOpStatus(
          response, "asking %s for the checksum of %s".formatted(replica.node(), block));
      return crc32c(response.getChecksumResponse(), block, replica);
    }
  }

  private static int crc32c(
      OpBlockChecksumResponseProto response, ExtendedBlock block, Replica replica)
      throws IOException {
    if (response.getCrcType() != ChecksumTypeProto.CHECKSUM_CRC32C
        || response.getBlockChecksum().size() != Integer.BYTES) {
      throw new IOException(
          "%s keeps %s with checksums of type %s; only CRC32C (dfs.checksum.type) can be compared without reading the block"
              .formatted(replica.node(), block, response.getCrcType()));
    }
    return response.getBlockChecksum().asReadOnlyByteBuffer().getInt();
  }
}
