// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** The place of one DataNode in an {@link EmbeddedHdfs}, whether the DataNode runs or not. */
final class DataNodeSlot {
  static final String READ_LIMIT = "dfs.datanode.data.read.bandwidthPerSec";

  final EmbeddedNode node;
  final Replicas replicas;
  private DataNode dataNode;
  private MiniDFSCluster.DataNodeProperties stopped;
  private long bytesReadBefore;
  private long bytesWrittenBefore;

  DataNodeSlot(EmbeddedNode node, DataNode dataNode, Replicas replicas) {
    this.node = node;
    this.dataNode = dataNode;
    this.replicas = replicas;
  }

  boolean running() {
    return stopped == null;
  }

  DataNode dataNode() {
    return dataNode;
  }

  void stop(MiniDFSCluster cluster) {
    if (!running()) {
      throw new IllegalStateException("DataNode %d is stopped already".formatted(node.index()));
    }
    bytesReadBefore = bytesRead();
    bytesWrittenBefore = bytesWritten();
    stopped = cluster.stopDataNode(node.xferAddress());
  }

  /** Starts the DataNode on its old port. */
  void restart(MiniDFSCluster cluster) throws IOException {
    boolean samePort = true;
    cluster.restartDataNode(stopped, samePort);
    dataNode = cluster.getDataNodes().get(cluster.getDataNodes().size() - 1);
    stopped = null;
  }

  /** Returns whether the NameNode has a block report of the running DataNode. */
  boolean reportedTo(DatanodeManager nameNode) {
    if (!dataNode.isDatanodeFullyStarted()) {
      return false;
    }
    DatanodeDescriptor known = nameNode.getDatanode(dataNode.getDatanodeUuid());
    return known != null
        && known.isAlive()
        && known.getXferAddr().equals(node.xferAddress())
        && known.checkBlockReportReceived();
  }

  /** Sends a full block report, and does not wait for the NameNode. */
  void sendBlockReport() throws IOException {
    dataNode.triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
  }

  void limitReads(long bytesPerSecond) throws IOException {
    try {
      dataNode.reconfigureProperty(READ_LIMIT, Long.toString(bytesPerSecond));
    } catch (ReconfigurationException e) {
      throw new IOException("%s does not take another %s".formatted(node, READ_LIMIT), e);
    }
  }

  /** HDFS has no setting for the step. */
  void limitReads(long bytesPerSecond, Duration step) throws IOException {
    limitReads(bytesPerSecond);
    ReadThrottle.shorten(dataNode, bytesPerSecond, step);
  }

  long dfsUsed() throws IOException {
    return running() ? dataNode.getFSDataset().getDfsUsed() : 0;
  }

  long bytesRead() {
    return bytesReadBefore + (running() ? DataNodeCounters.bytesRead(dataNode) : 0);
  }

  int openConnections() {
    return running() ? dataNode.getMetrics().getDataNodeActiveXceiverCount() : 0;
  }

  long bytesWritten() {
    return bytesWrittenBefore + (running() ? DataNodeCounters.bytesWritten(dataNode) : 0);
  }
}
