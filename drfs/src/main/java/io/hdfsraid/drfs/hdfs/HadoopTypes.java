// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** Converts between Hadoop's types and the types of this module. */
public final class HadoopTypes {
  private HadoopTypes() {}

  public static DataNode dataNode(DatanodeInfo node) {
    return new DataNode(
        node.getDatanodeUuid(),
        node.getXferAddr(),
        node.getHostName(),
        node.getNetworkLocation() == null ? "" : node.getNetworkLocation());
  }

  /** Returns enough of a DataNode to connect to its data transfer port. */
  public static DatanodeInfo datanodeInfo(DataNode node) {
    int notKnown = 0;
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(
            new DatanodeID(
                ip(node), node.host(), node.uuid(), port(node), notKnown, notKnown, notKnown))
        .setNetworkLocation(node.rack())
        .build();
  }

  /** Returns the host part of the data transfer address, as the NameNode knows it. */
  static String ip(DataNode node) {
    return node.address().substring(0, node.address().lastIndexOf(':'));
  }

  static int port(DataNode node) {
    return Integer.parseInt(node.address().substring(node.address().lastIndexOf(':') + 1));
  }

  public static ExtendedBlock extendedBlock(String blockPool, Block block) {
    return new ExtendedBlock(blockPool, block.id(), block.length(), block.generationStamp());
  }

  public static Block block(ExtendedBlock block) {
    return new Block(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
  }

  /**
   * Returns a block with the replicas that the NameNode listed. If the NameNode marks the block as
   * corrupt, all listed replicas are corrupt. A missing block has an empty list and is not marked
   * as corrupt.
   */
  public static LocatedBlock locatedBlock(org.apache.hadoop.hdfs.protocol.LocatedBlock located) {
    List<Replica> replicas = new ArrayList<>();
    DatanodeInfoWithStorage[] locations = located.getLocations();
    for (DatanodeInfoWithStorage node : locations) {
      replicas.add(
          new Replica(
              dataNode(node),
              node.getStorageID() == null ? "" : node.getStorageID(),
              String.valueOf(node.getStorageType()),
              node.isInService()));
    }
    return located.isCorrupt()
        ? new LocatedBlock(block(located.getBlock()), List.of(), replicas)
        : new LocatedBlock(block(located.getBlock()), replicas, List.of());
  }
}
