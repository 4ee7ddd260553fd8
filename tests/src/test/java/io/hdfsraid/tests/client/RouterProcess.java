// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.tests.journeys.Journey;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** A router of HDFS in front of one NameNode, in a process of its own. It shows all paths. */
final class RouterProcess implements AutoCloseable {
  private static final Path JARS = Path.of("..", "applications", "router", "target", "jars");
  private static final String MAIN = "org.apache.hadoop.hdfs.server.federation.router.DFSRouter";
  private static final String ADMIN = "org.apache.hadoop.hdfs.tools.federation.RouterAdmin";
  private static final String HOST = "127.0.0.1";
  private static final String NAMESERVICE = "behind";

  private final int port = freePort();
  private final int httpPort = freePort();
  private final int adminPort = freePort();
  private final Path folder;
  private final Path log;
  private final Process process;

  /**
   * @param folder empty
   */
  RouterProcess(EmbeddedHdfs hdfs, Path folder) throws IOException {
    this.folder = folder;
    // Its pages are in no jar, and it does not serve JMX without a folder of them.
    Files.createDirectories(folder.resolve("webapps").resolve("router"));
    log = folder.resolve("log");
    try (OutputStream out = Files.newOutputStream(folder.resolve("hdfs-site.xml"))) {
      settings(hdfs, folder).writeXml(out);
    }
    process = start(log, MAIN);
  }

  private Process start(Path output, String... command) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                folder + File.pathSeparator + JARS.toAbsolutePath() + File.separator + "*"));
    line.addAll(List.of(command));
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /** Lets the router show a directory of the NameNode by another path, too. */
  void mount(String path, String directory) throws IOException, InterruptedException {
    Path output = folder.resolve("mount");
    Process admin = start(output, ADMIN, "-add", path, NAMESERVICE, directory);
    if (admin.waitFor() != 0) {
      throw new IOException("The mount point was refused: " + Files.readString(output));
    }
  }

  private Configuration settings(EmbeddedHdfs hdfs, Path folder) {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", hdfs.uri().toString());
    conf.set("dfs.nameservices", NAMESERVICE);
    conf.set("dfs.namenode.rpc-address." + NAMESERVICE, hdfs.uri().getAuthority());
    conf.set("dfs.namenode.http-address." + NAMESERVICE, hdfs.httpUri().getAuthority());
    conf.set("dfs.federation.router.monitor.namenode", NAMESERVICE);
    conf.setBoolean("dfs.federation.router.monitor.localnamenode.enable", false);
    conf.set("dfs.federation.router.default.nameserviceId", NAMESERVICE);
    conf.set("dfs.federation.router.rpc-address", HOST + ":" + port);
    conf.set("dfs.federation.router.http-address", HOST + ":" + httpPort);
    conf.set("dfs.federation.router.admin-address", HOST + ":" + adminPort);
    conf.setBoolean("dfs.federation.router.safemode.enable", false);
    conf.set("dfs.federation.router.cache.ttl", "1s"); // it looks for NameNodes that often
    conf.setInt("dfs.federation.router.heartbeat.interval", 1_000);
    conf.set(
        "dfs.federation.router.store.driver.class",
        "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
    conf.set(
        "dfs.federation.router.store.driver.file.directory", folder.resolve("store").toString());
    return conf;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  URI uri() {
    return URI.create("hdfs://" + HOST + ":" + port);
  }

  URI webAddress() {
    return URI.create("http://" + HOST + ":" + httpPort);
  }

  /** Waits until clients can ask for files. */
  void awaitService() throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("ipc.client.connect.max.retries", 0);
    Journey.until(() -> answers(conf), () -> "the router to answer: " + Files.readString(log));
  }

  private boolean answers(Configuration conf) throws IOException {
    if (!process.isAlive()) {
      throw new IOException("The router has ended: " + Files.readString(log));
    }
    try (FileSystem fs = FileSystem.newInstance(uri(), conf)) {
      return fs.getFileStatus(new org.apache.hadoop.fs.Path("/")).isDirectory();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
