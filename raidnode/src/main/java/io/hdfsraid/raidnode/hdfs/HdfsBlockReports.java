// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidnode.raiding.core.BlockReports;
import io.hdfsraid.recency.hdfs.ActiveNameNode;
import io.hdfsraid.recency.hdfs.ImpatientClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RPC;

/** Requests block reports as {@code hdfs dfsadmin -triggerBlockReport} does, as the superuser. */
final class HdfsBlockReports implements BlockReports {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Names the service principal of DataNodes; the constant is in a server library. */
  private static final String DATANODE_PRINCIPAL = "dfs.datanode.kerberos.principal";

  private final DistributedFileSystem fs;
  private final Configuration conf;

  HdfsBlockReports(DistributedFileSystem fs, Configuration conf) {
    this.fs = fs;
    this.conf = ImpatientClient.configuration(conf); // one without power must not hold up others
    this.conf.set(
        CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        conf.get(DATANODE_PRINCIPAL, ""));
  }

  @Override
  public String activeNameNode() throws IOException {
    return ActiveNameNode.of(fs).toString();
  }

  @Override
  public void request(DataNode node) throws IOException {
    DatanodeInfo live =
        Arrays.stream(fs.getClient().datanodeReport(DatanodeReportType.LIVE))
            .filter(each -> each.getDatanodeUuid().equals(node.uuid()))
            .findFirst()
            .orElseThrow(() -> new IOException(node + " is not alive"));
    boolean byHostname =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    ClientDatanodeProtocol dataNode =
        DFSUtilClient.createClientDatanodeProtocolProxy(
            live, conf, (int) TIMEOUT.toMillis(), byHostname);
    try {
      dataNode.triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
    } finally {
      RPC.stopProxy(dataNode);
    }
  }
}
