// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * Chooses the address under which a DataNode is requested as a favored node, so that the NameNode
 * finds the node and the block stays movable. If DataNodes pin blocks ({@code
 * dfs.datanode.block-pinning.enabled}), they pin a block that the client has written to a node it
 * had requested. Neither this product nor HDFS's balancer could move such a block. The client
 * recognises a requested node by {@code host:port}. The NameNode finds a node by its IP address,
 * and by the address alone if no node has the requested port. Therefore:
 *
 * <ul>
 *   <li>A node whose host name is not its address is requested by address and port. The client does
 *       not recognise it.
 *   <li>A node whose host name is its address is requested with a port that no node has.
 *   <li>If several nodes share the address, as on a test machine, only the port tells them apart.
 *       Then the correct node is more important than a movable block.
 * </ul>
 */
final class FavoredNodes {
  private static final int NO_PORT = 0;

  private final DFSClient client;
  private volatile Map<String, Integer> nodesAtAddressOf = Map.of();

  FavoredNodes(DFSClient client) {
    this.client = client;
  }

  /** Returns the address, {@code ip:port}, under which to request the node. */
  String of(DataNode node) throws IOException {
    String ip = HadoopTypes.ip(node);
    boolean recognised = node.host().equals(ip);
    int port = recognised && neighbours(node) == 1 ? NO_PORT : HadoopTypes.port(node);
    return ip + ":" + port;
  }

  /**
   * Returns the address of the form {@code ip:port}. Hadoop sends the host name of it, which must
   * be the IP address here. A look-up would return the name that the resolver prefers.
   */
  static InetSocketAddress parse(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    String ip = address.substring(0, colon);
    byte[] bytes = InetAddress.getByName(ip).getAddress();
    return new InetSocketAddress(
        InetAddress.getByAddress(ip, bytes), Integer.parseInt(address.substring(colon + 1)));
  }

  /** Returns how many nodes share its address. The NameNode is asked again only for a new node. */
  private int neighbours(DataNode node) throws IOException {
    Integer known = nodesAtAddressOf.get(node.uuid());
    if (known == null) {
      nodesAtAddressOf = count();
      known = nodesAtAddressOf.getOrDefault(node.uuid(), Integer.MAX_VALUE);
    }
    return known;
  }

  private Map<String, Integer> count() throws IOException {
    DatanodeID[] live = client.datanodeReport(DatanodeReportType.LIVE);
    Map<String, Long> byAddress =
        Arrays.stream(live)
            .collect(Collectors.groupingBy(DatanodeID::getIpAddr, Collectors.counting()));
    Map<String, Integer> byUuid = new HashMap<>();
    for (DatanodeID node : live) {
      byUuid.put(node.getDatanodeUuid(), byAddress.get(node.getIpAddr()).intValue());
    }
    return byUuid;
  }
}
