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
 * How to name a node that a block shall be written to, so that the NameNode finds it and the block
 * stays movable. Where DataNodes pin blocks ({@code dfs.datanode.block-pinning.enabled}), they pin
 * what the client wrote to a node it had asked for, and would let neither us nor HDFS's balancer
 * move it again. The client knows such a node by {@code host:port}; the NameNode finds it by the IP
 * address, and when no node has that port, by the address alone. So:
 *
 * <ul>
 *   <li>a node whose host name is not its address is asked for by address and port: the client does
 *       not recognise it;
 *   <li>one whose host name is its address is asked for with a port that no node has;
 *   <li>unless several nodes share the address, as on a machine for tests: then only the port tells
 *       them apart, and where the block goes is more important than whether it can be moved.
 * </ul>
 */
final class FavouredNames {
  private static final int NO_PORT = 0;

  private final DFSClient client;
  private volatile Map<String, Integer> nodesAtAddressOf = Map.of();

  FavouredNames(DFSClient client) {
    this.client = client;
  }

  /**
   * The address to ask for the node by. Hadoop sends the host name of what is returned, which must
   * be the IP address here: looking it up would give the name the resolver prefers.
   */
  InetSocketAddress of(DataNode node) throws IOException {
    String ip = HadoopTypes.ip(node);
    boolean recognised = node.host().equals(ip);
    int port = recognised && neighbours(node) == 1 ? NO_PORT : HadoopTypes.port(node);
    byte[] bytes = InetAddress.getByName(ip).getAddress();
    return new InetSocketAddress(InetAddress.getByAddress(ip, bytes), port);
  }

  /** How many nodes have its address; asked again only about a node that is new. */
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
