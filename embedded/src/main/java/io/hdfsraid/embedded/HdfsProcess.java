// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.qjournal.server.JournalNode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.BootstrapStandby;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * One node of HDFS, alone in a process that {@link ProcessHdfs} has started.
 *
 * <p>{@code namenode <storage> <report>}, {@code namenode <storage> <report> <index>} of one of
 * several, {@code journalnode <storage> <report> <address>}, or {@code datanode <storage> <report>
 * <host name> <xfer address>}; {@code core-site.xml} and {@code hdfs-site.xml} stand first on the
 * class path. When the node has bound its port it writes the address into the report file. It ends
 * when its standard input does: no node outlives the process that started it.
 */
public final class HdfsProcess {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private HdfsProcess() {}

  public static void main(String[] arguments) throws Exception {
    EndWithParent.watch(Runtime.getRuntime()::halt);
    Configuration conf = new HdfsConfiguration();
    Path storage = Path.of(arguments[1]);
    Path report = Path.of(arguments[2]);
    switch (arguments[0]) {
      case "namenode" -> {
        if (arguments.length > 3) {
          runOneOfSeveral(conf, storage, report, Integer.parseInt(arguments[3]));
        } else {
          runNameNode(conf, storage, report, "", NameNode::format);
        }
      }
      case "journalnode" -> runJournalNode(conf, storage, report, arguments[3]);
      case "datanode" -> runDataNode(conf, storage, report, arguments[3], arguments[4]);
      default ->
          throw new IllegalArgumentException(
              "Neither namenode nor journalnode nor datanode: " + arguments[0]);
    }
  }

  /** Fills the storage of a NameNode for the first time. */
  @FunctionalInterface
  private interface Beginning {
    void make(Configuration conf) throws IOException;
  }

  private static void runOneOfSeveral(Configuration conf, Path storage, Path report, int index)
      throws IOException {
    conf.set("dfs.ha.namenode.id", ClusterSettings.nameNode(index));
    runNameNode(
        conf,
        storage,
        report,
        ClusterSettings.ofNameNode(index),
        index == 0 ? NameNode::format : HdfsProcess::copyOfActive);
  }

  private static void copyOfActive(Configuration conf) throws IOException {
    int exitCode = BootstrapStandby.run(new String[] {"-nonInteractive", "-force"}, conf);
    if (exitCode != 0) {
      throw new IOException("The namespace cannot be copied: exit code " + exitCode);
    }
  }

  /**
   * @param suffix of the keys with the addresses of this NameNode
   */
  private static void runNameNode(
      Configuration conf, Path storage, Path report, String suffix, Beginning beginning)
      throws IOException {
    conf.set("dfs.namenode.name.dir", storage.toUri().toString());
    if (!Files.exists(storage.resolve("current"))) {
      Files.createDirectories(storage);
      // Formatting registers metrics, which the NameNode then finds taken.
      boolean namesMayRepeat = true;
      DefaultMetricsSystem.setMiniClusterMode(namesMayRepeat);
      beginning.make(conf);
    }
    awaitFree(conf.get("dfs.namenode.rpc-address" + suffix));
    awaitFree(conf.get("dfs.namenode.http-address" + suffix));
    awaitFree(conf.get("dfs.namenode.https-address" + suffix));
    NameNode nameNode = NameNode.createNameNode(new String[0], conf);
    report(report, nameNode.getNameNodeAddress());
    nameNode.join();
  }

  private static void runJournalNode(Configuration conf, Path storage, Path report, String address)
      throws IOException, InterruptedException {
    conf.set("dfs.journalnode.edits.dir", storage.toString());
    conf.set("dfs.journalnode.rpc-address", address);
    conf.set("dfs.journalnode.http-address", "127.0.0.1:0");
    awaitFree(address);
    JournalNode journal = new JournalNode();
    journal.setConf(conf);
    journal.start();
    report(report, journal.getBoundIpcAddress());
    Thread.currentThread().join();
  }

  private static void runDataNode(
      Configuration conf, Path storage, Path report, String hostName, String xferAddress)
      throws IOException, InterruptedException {
    conf.set("dfs.datanode.data.dir", storage.toUri().toString());
    conf.set("dfs.datanode.hostname", hostName);
    conf.set("dfs.datanode.address", xferAddress);
    conf.set("dfs.datanode.ipc.address", "127.0.0.1:0");
    conf.set("dfs.datanode.http.address", "127.0.0.1:0");
    conf.set("dfs.datanode.https.address", "127.0.0.1:0");
    awaitFree(xferAddress);
    DataNode dataNode = DataNode.createDataNode(new String[0], conf);
    report(report, dataNode.getXferAddress());
    Thread.currentThread().join();
  }

  /**
   * Waits until nobody has a port. When a node is started again, a connection of another process
   * may have got the node's port as a local one, and the node would end with a {@code
   * BindException}.
   */
  private static void awaitFree(String address) throws IOException {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.setReuseAddress(true);
        probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return;
      } catch (BindException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        Pause.of(Duration.ofMillis(200));
      }
    }
  }

  private static void report(Path file, InetSocketAddress address) throws IOException {
    Path written =
        Files.writeString(
            file.resolveSibling(file.getFileName() + ".new"), "127.0.0.1:" + address.getPort());
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE); // never seen half written
  }
}
