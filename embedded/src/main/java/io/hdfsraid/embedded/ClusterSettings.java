// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.net.DNSToSwitchMapping;

/** The settings of all our clusters: they react in seconds instead of minutes, and stay small. */
final class ClusterSettings {
  static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /** The nameservice of clusters with several NameNodes. */
  static final String NAMESERVICE = "embedded";

  private ClusterSettings() {}

  static void apply(Configuration conf, long blockSize, boolean blockTokens) {
    conf.setLong("dfs.blocksize", blockSize);
    conf.setLong("dfs.namenode.fs-limits.min-block-size", Math.min(blockSize, 512));
    conf.setBoolean("dfs.block.access.token.enable", blockTokens);
    conf.setClass(
        "net.topology.node.switch.mapping.impl", RackFromHostName.class, DNSToSwitchMapping.class);
    conf.setLong("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.safemode.extension", 0); // 30 s, in case that more nodes come
    // The NameNode judges load by open connections: on one machine that is noise, and it refuses
    // nodes for it.
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    // A read that finds no good replica waits 3 s, then 6, then 9 before it says so.
    conf.setInt("dfs.client.retry.window.base", 50);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    // Threads and ports: 20 DataNodes share one process.
    conf.setInt("dfs.datanode.handler.count", 2);
    conf.setInt("dfs.namenode.handler.count", 16);
    conf.setInt("hadoop.http.acceptor.count", 1);
    conf.setInt("hadoop.http.selector.count", 1);
    conf.setBoolean("dfs.namenode.audit.log.async", false);
    conf.setBoolean("dfs.disk.balancer.enabled", false);
  }

  static void staleAfter(Configuration conf, Duration after) {
    conf.setLong("dfs.namenode.stale.datanode.interval", after.toMillis());
    conf.setInt("dfs.namenode.stale.datanode.minimum.interval", 1);
  }

  /** HDFS counts a node as dead after 2 rechecks + 10 heartbeats. */
  static void deadAfter(Configuration conf, Duration after, Duration heartbeat) {
    long recheck = (after.toMillis() - 10 * heartbeat.toMillis()) / 2;
    if (recheck < 1) {
      throw new IllegalArgumentException(
          "A node cannot be dead after %d ms with a heartbeat of %d ms: HDFS waits for 10 heartbeats"
              .formatted(after.toMillis(), heartbeat.toMillis()));
    }
    conf.setLong("dfs.namenode.heartbeat.recheck-interval", recheck);
  }

  /** Has NameNodes that stand by read the edits of the active one each second. */
  static void severalNameNodes(Configuration conf) {
    conf.setBoolean("dfs.ha.standby.checkpoints", false);
    conf.setInt("dfs.ha.tail-edits.period", 1);
  }

  /** Returns the id of the i-th of several NameNodes. */
  static String nameNode(int index) {
    return "nn" + index;
  }

  /** Returns the suffix of the keys of the i-th of several NameNodes. */
  static String ofNameNode(int index) {
    return ".%s.%s".formatted(NAMESERVICE, nameNode(index));
  }

  /** Sets the keys that a client needs to find the active NameNode. */
  static void clientOfSeveral(Configuration conf, List<URI> rpc, List<URI> http) {
    conf.set("dfs.nameservices", NAMESERVICE);
    conf.set(
        "dfs.ha.namenodes." + NAMESERVICE,
        IntStream.range(0, rpc.size())
            .mapToObj(ClusterSettings::nameNode)
            .collect(Collectors.joining(",")));
    for (int i = 0; i < rpc.size(); i++) {
      conf.set("dfs.namenode.rpc-address" + ofNameNode(i), rpc.get(i).getAuthority());
      conf.set("dfs.namenode.http-address" + ofNameNode(i), http.get(i).getAuthority());
    }
    conf.unset("dfs.nameservice.id"); // of the NameNode whose settings these were
    conf.unset("dfs.ha.namenode.id");
    conf.set(
        "dfs.client.failover.proxy.provider." + NAMESERVICE,
        ConfiguredFailoverProxyProvider.class.getName());
    conf.setInt("dfs.client.failover.sleep.base.millis", 50);
    conf.setInt("dfs.client.failover.sleep.max.millis", 500);
    conf.set("fs.defaultFS", "hdfs://" + NAMESERVICE);
  }
}
