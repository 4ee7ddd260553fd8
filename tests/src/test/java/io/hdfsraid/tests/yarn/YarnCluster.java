// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.yarn;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hdfsraid.blockfixer.hdfs.HdfsBlockDelivery;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.tests.client.ClientClassPath;
import io.hdfsraid.tests.journeys.Journey;
import io.hdfsraid.yarn.job.StripeJobs;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A YARN in a process of its own, on the jars of an installed Hadoop. The daemon that submits jobs
 * to it runs on the shaded client, as it is delivered.
 */
public final class YarnCluster implements AutoCloseable {
  private static final Path JARS = Path.of("..", "applications", "hadoop", "target", "jars");

  private static final long SECONDS_TO_END = 30;

  private final EmbeddedHdfs hdfs;
  private final Path folder;
  private final Path log;
  private final Process process;

  /**
   * Starts it.
   *
   * @param folder empty
   */
  public YarnCluster(EmbeddedHdfs hdfs, int nodeManagers, Path folder) throws Exception {
    this.hdfs = hdfs;
    this.folder = folder;
    this.log = folder.resolve("log");
    Configuration site = new Configuration(false);
    site.set("fs.defaultFS", hdfs.uri().toString());
    actForOthers().forEach(site::set);
    Path conf = Files.createDirectories(folder.resolve("conf"));
    try (OutputStream out = Files.newOutputStream(conf.resolve("core-site.xml"))) {
      site.writeXml(out);
    }
    List<String> classPath = new ArrayList<>(List.of(conf.toAbsolutePath().toString()));
    classPath.addAll(ClientClassPath.withoutClient(YarnProcess.class, folder, JARS));
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            String.join(File.pathSeparator, classPath),
            YarnProcess.class.getName(),
            Integer.toString(nodeManagers),
            report().toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    process =
        builder
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
  }

  /** Returns the settings by which the user of this process may act for others. */
  public static Map<String, String> actForOthers() {
    String user = System.getProperty("user.name");
    return Map.of(
        "hadoop.proxyuser." + user + ".hosts", "*", "hadoop.proxyuser." + user + ".users", "*");
  }

  private Path report() {
    return folder.resolve("yarn-site.xml").toAbsolutePath();
  }

  /** Waits until it is up, and returns the configuration of a client of both, HDFS and YARN. */
  public Configuration configuration() throws Exception {
    Journey.until(this::isUp, () -> "YARN to be up: " + Files.readString(log));
    Configuration conf = new Configuration(hdfs.configuration());
    conf.addResource(new org.apache.hadoop.fs.Path(report().toUri()));
    // Otherwise containers would get the class path of this process.
    conf.setBoolean("yarn.is.minicluster", false);
    // Its racks are those of its DataNodes, which containers on one machine cannot tell apart.
    conf.set("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.ScriptBasedMapping");
    conf.set("yarn.application.classpath", containerClassPath());
    conf.set("mapreduce.application.classpath", containerClassPath());
    // As on a cluster, each user submits jobs below a directory of their own.
    hdfs.fileSystem()
        .setPermission(
            new org.apache.hadoop.fs.Path(conf.get("yarn.app.mapreduce.am.staging-dir")),
            new FsPermission((short) 01777));
    return conf;
  }

  private boolean isUp() throws IOException {
    if (!process.isAlive()) {
      throw new IOException("YARN has ended: " + Files.readString(log));
    }
    return Files.exists(report());
  }

  /** Jars of ours are shipped with each job; what is not packaged yet has to be named. */
  private static String containerClassPath() throws URISyntaxException {
    List<String> entries = new ArrayList<>(List.of(JARS.toAbsolutePath().normalize() + "/*"));
    for (Class<?> each :
        List.of(
            ErasureCodec.class, HdfsDataNodes.class, HdfsBlockDelivery.class, StripeJobs.class)) {
      Path source = Path.of(each.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(source)) {
        entries.add(source.toString());
      }
    }
    return String.join(",", entries);
  }

  /** Restarts the ResourceManager, on the same ports. Applications go on. */
  public void restartResourceManager() throws IOException {
    ask(YarnProcess.Command.RESTART_RESOURCE_MANAGER);
  }

  /** Returns how often its ResourceManager has started. */
  public int starts() {
    return log().split("ResourceManager.*Transitioned to active state", -1).length - 1;
  }

  /** Stops a NodeManager that has containers, with them and for good. */
  public void stopBusyNodeManager() throws IOException {
    ask(YarnProcess.Command.STOP_BUSY_NODE_MANAGER);
  }

  private void ask(YarnProcess.Command command) throws IOException {
    process.getOutputStream().write((command.name() + System.lineSeparator()).getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  /** Returns what it has logged. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Ends it, with all its containers. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
