// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;

/**
 * A YARN with MapReduce on the HDFS that {@code core-site.xml} on the class path names. Takes the
 * number of NodeManagers, and the file into which it writes its configuration when it is up. It
 * obeys {@link Command}s, one in each line of its standard input, and ends when its standard input
 * ends.
 */
final class YarnProcess {
  private static final int FAILED = 1;

  private final MiniMRYarnCluster yarn;
  private final int nodeManagers;

  private YarnProcess(MiniMRYarnCluster yarn, int nodeManagers) {
    this.yarn = yarn;
    this.nodeManagers = nodeManagers;
  }

  /** Orders that this process obeys. */
  enum Command {
    RESTART_RESOURCE_MANAGER,

    /** Stops one that has containers, which are killed. It stays away. */
    STOP_BUSY_NODE_MANAGER
  }

  public static void main(String[] arguments) {
    int exitCode = FAILED;
    try {
      run(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
      exitCode = 0;
    } catch (IOException | InterruptedException | RuntimeException | LinkageError e) {
      e.printStackTrace(System.err);
    }
    System.exit(exitCode); // threads of YARN may be left
  }

  private static void run(int nodeManagers, Path report) throws IOException, InterruptedException {
    try (MiniMRYarnCluster yarn = new MiniMRYarnCluster("yarn", nodeManagers)) {
      yarn.init(small(report.resolveSibling("resource-manager")));
      yarn.start();
      Path written = Path.of(report + ".part");
      try (OutputStream out = Files.newOutputStream(written)) {
        yarn.getConfig().writeXml(out);
      }
      Files.move(written, report, StandardCopyOption.ATOMIC_MOVE);
      new YarnProcess(yarn, nodeManagers).obey();
    }
  }

  private void obey() throws IOException, InterruptedException {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      switch (Command.valueOf(line)) {
        case RESTART_RESOURCE_MANAGER -> yarn.restartResourceManager(0);
        case STOP_BUSY_NODE_MANAGER -> stopBusyNodeManager();
      }
    }
  }

  private void stopBusyNodeManager() {
    for (int i = 0; i < nodeManagers; i++) {
      NodeManager node = yarn.getNodeManager(i);
      if (node.getNMContext().getContainers().values().stream().anyMatch(Container::isRunning)) {
        node.stop();
        return;
      }
    }
    throw new IllegalStateException("No NodeManager has containers");
  }

  /**
   * A YARN that fits a small machine.
   *
   * @param state where the ResourceManager keeps what it knows of applications
   */
  private static Configuration small(Path state) throws IOException {
    Configuration conf = new Configuration();
    conf.setBoolean("yarn.resourcemanager.recovery.enabled", true);
    conf.set(
        "yarn.resourcemanager.store.class",
        "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore");
    conf.set("yarn.resourcemanager.fs.state-store.uri", state.toUri().toString());
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx300m -XX:TieredStopAtLevel=1");
    conf.setInt("yarn.nodemanager.resource.memory-mb", 2048);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
    // Otherwise NodeManagers keep to the first ResourceManager of the process.
    conf.setBoolean("yarn.minicluster.use-rpc", true);
    conf.setBoolean("yarn.minicluster.fixed.ports", true);
    for (String service :
        List.of(
            "address",
            "scheduler.address",
            "resource-tracker.address",
            "admin.address",
            "webapp.address")) {
      conf.set("yarn.resourcemanager." + service, "localhost:" + freePort());
    }
    conf.setInt("yarn.resourcemanager.connect.retry-interval.ms", 1_000);
    conf.setInt("yarn.am.liveness-monitor.expiry-interval-ms", 60_000);
    // A job that ends is gone at once.
    conf.setInt("yarn.app.mapreduce.client-am.ipc.max-retries", 1);
    return conf;
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0)) {
      return any.getLocalPort();
    }
  }
}
