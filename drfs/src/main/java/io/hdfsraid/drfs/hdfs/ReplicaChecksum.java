// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.OtherChecksumException;
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
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;

/**
 * Requests the checksum of a replica from a DataNode. HDFS's client can request checksums of whole
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
    BlockChecksum sum = ask(block, token, replica.node(), BlockChecksumType.COMPOSITE_CRC);
    if (sum.type() != DataChecksum.Type.CRC32C || !sum.isCrc()) {
      throw new OtherChecksumException(
          "%s keeps %s with checksums of type %s; only CRC32C (dfs.checksum.type) can be compared without reading the block"
              .formatted(replica.node(), block, sum.type()));
    }
    return sum.crc();
  }

  /** Returns the checksum of the first {@code block.getNumBytes()} bytes. */
  BlockChecksum ask(
      ExtendedBlock block, Token<BlockTokenIdentifier> token, DataNode node, BlockChecksumType type)
      throws IOException {
    try (IOStreamPair connection = nodes.connect(node, token)) {
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(connection.out));
      new Sender(out).blockChecksum(block, token, new BlockChecksumOptions(type));
      BlockOpResponseProto response =
          BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(connection.in));
      DataTransferProtoUtil.checkBlockOpStatus(
          response, "asking %s for the checksum of %s".formatted(node, block));
      OpBlockChecksumResponseProto sum = response.getChecksumResponse();
      return new BlockChecksum(
          PBHelperClient.convert(sum.getCrcType()),
          sum.getBytesPerCrc(),
          sum.getCrcPerBlock(),
          sum.getBlockChecksum().asReadOnlyByteBuffer());
    }
  }
}
