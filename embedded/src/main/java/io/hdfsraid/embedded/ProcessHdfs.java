// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ha.HAServiceProtocolHelper;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.apache.hadoop.ipc.RPC;

/**
 * An HDFS whose NameNodes, JournalNodes and DataNodes are processes of their own, so that they can
 * be killed. Clients reach it through its configuration directory and its ports only. It starts
 * more slowly than {@link EmbeddedHdfs} and offers fewer operations.
 */
public final class ProcessHdfs implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String LOOPBACK = "127.0.0.1:";
  private static final String ANY_PORT = LOOPBACK + "0";

  /** How many JournalNodes several NameNodes have. */
  public static final int JOURNALS = 3;

  private static final StateChangeRequestInfo BY_USER =
      new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

  private final Builder settings;
  private final Storage storage;
  private final List<Node> dataNodes = new ArrayList<>();
  private final List<NameNodePlace> nameNodes = new ArrayList<>();
  private final List<JournalPlace> journals = new ArrayList<>();
  private DistributedFileSystem fileSystem;

  /** The place of one NameNode, whether its process runs or not. */
  private static final class NameNodePlace {
    final int rpcPort;
    final int httpPort;
    final int httpsPort;
    Process process;

    NameNodePlace(int rpcPort, int httpPort, int httpsPort) {
      this.rpcPort = rpcPort;
      this.httpPort = httpPort;
      this.httpsPort = httpsPort;
    }
  }

  /** The place of one JournalNode, whether its process runs or not. */
  private static final class JournalPlace {
    final String address;
    Process process;

    JournalPlace(int port) {
      address = LOOPBACK + port;
    }
  }

  /** The place of one DataNode, whether its process runs or not. */
  private static final class Node {
    final String hostName;
    String xferAddress = ANY_PORT;
    Process process;
    Optional<SmallDisk> disk = Optional.empty();

    Node(String hostName) {
      this.hostName = hostName;
    }
  }

  private ProcessHdfs(Builder settings, Storage storage) {
    this.settings = settings;
    this.storage = storage;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Returns whether this user may mount what {@link Builder#smallDisks} asks for. */
  public static boolean mayMountDisks() {
    try (Storage place = Storage.temporary()) {
      SmallDisk.mount(place.directory().resolve("disk"), 1).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void startAll() throws IOException {
    for (Path directory : List.of(confDirectory(), logs(), reports())) {
      Files.createDirectories(directory);
    }
    Files.writeString(
        reports().resolve("logback.xml"),
        """
        <configuration>
          <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%%d{HH:mm:ss.SSS} %%-5level %%logger{20} %%msg%%n</pattern></encoder>
          </appender>
          <appender name="audit" class="ch.qos.logback.core.FileAppender">
            <file>${hdfs.audit}</file>
            <encoder><pattern>%%d{"yyyy-MM-dd HH:mm:ss,SSS"} %%p FSNamesystem.audit: %%m%%n</pattern></encoder>
          </appender>
          <logger name="org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit" level="%s" additivity="false">
            <appender-ref ref="audit"/>
          </logger>
          <root level="WARN"><appender-ref ref="console"/></root>
        </configuration>
        """
            .formatted(settings.auditLog ? "INFO" : "OFF"));
    Files.writeString(
        reports().resolve("log4j.properties"),
        """
        log4j.rootLogger=WARN,console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%%d{HH:mm:ss,SSS} %%-5p %%c{2} %%m%%n
        log4j.logger.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=%s,audit
        log4j.additivity.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=false
        log4j.appender.audit=org.apache.log4j.FileAppender
        log4j.appender.audit.File=${hdfs.audit}
        log4j.appender.audit.layout=org.apache.log4j.PatternLayout
        log4j.appender.audit.layout.ConversionPattern=%%d{ISO8601} %%p FSNamesystem.audit: %%m%%n
        """
            .formatted(settings.auditLog ? "INFO" : "OFF"));
    int journalNodes = hasSeveralNameNodes() ? JOURNALS : 0;
    Iterator<Integer> ports = unusedPorts(3 * settings.nameNodes + journalNodes).iterator();
    for (int i = 0; i < settings.nameNodes; i++) {
      nameNodes.add(new NameNodePlace(ports.next(), ports.next(), ports.next()));
    }
    for (int i = 0; i < journalNodes; i++) {
      journals.add(new JournalPlace(ports.next()));
    }
    writeConfiguration();
    for (int i = 0; i < journals.size(); i++) {
      launchJournal(i);
    }
    launchNameNode(0);
    if (hasSeveralNameNodes()) {
      activate(0);
    }
    for (int i = 1; i < settings.nameNodes; i++) {
      launchNameNode(i); // copies the namespace of the active one
    }
    for (int i = 0; i < settings.dataNodes; i++) {
      Node node = new Node(RackFromHostName.hostName(i, settings.racks));
      dataNodes.add(node);
      if (settings.diskMegabytes > 0) {
        node.disk = Optional.of(SmallDisk.mount(dataDirectory(i), settings.diskMegabytes));
      }
      launchDataNode(i);
    }
    for (int i = 0; i < settings.dataNodes; i++) {
      awaitDataNode(i);
    }
    Configuration conf = configuration();
    fileSystem =
        (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
    waitActive();
  }

  private static Set<Integer> unusedPorts(int count) throws IOException {
    Set<Integer> ports = new LinkedHashSet<>();
    while (ports.size() < count) {
      ports.add(UnusedPort.find());
    }
    return ports;
  }

  /** Returns the directory of {@code core-site.xml} and {@code hdfs-site.xml}. */
  public Path confDirectory() {
    return storage.directory().resolve("conf");
  }

  /** Returns the directory of the log files, one for each process. */
  public Path logs() {
    return storage.directory().resolve("logs");
  }

  /** Returns the audit log of the first NameNode, which is empty unless it was asked for. */
  public Path auditLog() {
    return auditLog(0);
  }

  /** Returns the audit log of a NameNode, which is empty unless it was asked for. */
  public Path auditLog(int nameNode) {
    return logs()
        .resolve(nameNode == 0 ? "hdfs-audit.log" : "hdfs-audit-%d.log".formatted(nameNode));
  }

  /** Returns the directory of the image and the edits of a NameNode. */
  public Path nameDirectory(int nameNode) {
    return Path.of(storage(nameNode == 0 ? "name" : "name" + nameNode));
  }

  /**
   * Copies the image and the edits of a NameNode, which may run if nothing is changed meanwhile, as
   * in safe mode.
   *
   * @return the copy, to be put back with {@link #putBack}
   */
  public Path copyNamespace(int nameNode) throws IOException {
    Path copy =
        Files.createTempDirectory(storage.directory(), nameDirectory(nameNode).getFileName() + "-");
    Storage.copy(nameDirectory(nameNode), copy);
    return copy;
  }

  /** Replaces the image and the edits of a NameNode that does not run by a copy. */
  public void putBack(int nameNode, Path copy) throws IOException {
    Storage.delete(nameDirectory(nameNode));
    Storage.copy(copy, Files.createDirectory(nameDirectory(nameNode)));
  }

  /** Returns the directory of a DataNode's replicas. */
  public Path dataDirectory(int node) {
    return Path.of(storage("data" + node));
  }

  /** Returns how many replicas of a block are on the disks of the DataNodes. */
  public int replicasOnDisks(long blockId) throws IOException {
    int found = 0;
    for (int i = 0; i < dataNodes.size(); i++) {
      found += new Replicas(List.of(dataDirectory(i))).dataFile(blockId).isPresent() ? 1 : 0;
    }
    return found;
  }

  /** Has each live DataNode send a full block report, as {@code -triggerBlockReport} does. */
  public void triggerBlockReports() throws IOException {
    Configuration conf = configuration();
    for (DatanodeInfo node : fileSystem.getDataNodeStats(DatanodeReportType.LIVE)) {
      boolean byHostName = false;
      ClientDatanodeProtocol dataNode =
          DFSUtilClient.createClientDatanodeProtocolProxy(
              node, conf, Math.toIntExact(PATIENCE.toMillis()), byHostName);
      try {
        dataNode.triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
      } finally {
        RPC.stopProxy(dataNode);
      }
    }
  }

  /**
   * Deletes all replicas of the first block of a file from the disks, as {@link #deleteReplicas}
   * does.
   *
   * @throws IOException if there was none
   */
  public void loseFirstBlock(String path) throws IOException {
    long block = fileSystem.getClient().getLocatedBlocks(path, 0).get(0).getBlock().getBlockId();
    if (deleteReplicas(block) == 0) {
      throw new IOException("Block %d of %s had no replica".formatted(block, path));
    }
  }

  /**
   * Deletes all replicas of a block from the disks of the DataNodes, which are not told.
   *
   * @return how many there were
   */
  public int deleteReplicas(long blockId) throws IOException {
    int deleted = 0;
    for (int i = 0; i < dataNodes.size(); i++) {
      Replicas replicas = new Replicas(List.of(dataDirectory(i)));
      if (replicas.dataFile(blockId).isPresent()) {
        replicas.delete(blockId);
        deleted++;
      }
    }
    return deleted;
  }

  /**
   * Changes bytes in all replicas of a block on the disks of the DataNodes, which are not told.
   *
   * @return how many there were
   */
  public int corruptReplicas(long blockId) throws IOException {
    int corrupted = 0;
    for (int i = 0; i < dataNodes.size(); i++) {
      Replicas replicas = new Replicas(List.of(dataDirectory(i)));
      if (replicas.dataFile(blockId).isPresent()) {
        replicas.corrupt(blockId, 0);
        corrupted++;
      }
    }
    return corrupted;
  }

  private Path reports() {
    return storage.directory().resolve("processes");
  }

  /** Reads the configuration directory. */
  public Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.addResource("core-default.xml");
    conf.addResource("hdfs-default.xml");
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      conf.addResource(new org.apache.hadoop.fs.Path(confDirectory().resolve(file).toUri()));
    }
    return conf;
  }

  public URI uri() {
    return URI.create(
        "hdfs://"
            + (hasSeveralNameNodes()
                ? ClusterSettings.NAMESERVICE
                : LOOPBACK + nameNodes.get(0).rpcPort));
  }

  /** Returns the address at which a NameNode answers clients. */
  public URI rpcAddress(int nameNode) {
    return URI.create("hdfs://" + LOOPBACK + nameNodes.get(nameNode).rpcPort);
  }

  private boolean hasSeveralNameNodes() {
    return settings.nameNodes > 1;
  }

  /** A plain client; closed with the cluster. */
  public DistributedFileSystem fileSystem() {
    return fileSystem;
  }

  /** Returns {@code ip:port} of a DataNode, which a restart does not change. */
  public String xferAddress(int node) {
    return dataNodes.get(node).xferAddress;
  }

  public boolean isRunning(int node) {
    return dataNodes.get(node).process.isAlive();
  }

  /** Kills a DataNode as {@code kill -9} does. */
  public void killDataNode(int node) throws IOException {
    kill(dataNodes.get(node).process);
  }

  /** Stops a DataNode as {@code kill -STOP} does: its connections stay open. */
  public void freezeDataNode(int node) throws IOException {
    signal("STOP", dataNodes.get(node).process);
  }

  /** Lets a DataNode go on that was frozen. */
  public void thawDataNode(int node) throws IOException {
    signal("CONT", dataNodes.get(node).process);
  }

  /** Leaves no byte free on the small disk of a DataNode. */
  public void fillDisk(int node) throws IOException {
    dataNodes.get(node).disk.orElseThrow().fill();
  }

  /** Frees what {@link #fillDisk} has taken. */
  public void emptyDisk(int node) throws IOException {
    dataNodes.get(node).disk.orElseThrow().empty();
  }

  /** Restarts a DataNode with its storage and port, and waits until it has registered. */
  public void restartDataNode(int node) throws IOException {
    launch(node);
    waitActive();
  }

  /** Restarts a DataNode with its storage and port; the NameNode may be away. */
  public void launch(int node) throws IOException {
    launchDataNode(node);
    awaitDataNode(node);
  }

  /** Kills the first NameNode as {@code kill -9} does. */
  public void killNameNode() throws IOException {
    killNameNode(0);
  }

  /** Kills a NameNode as {@code kill -9} does. */
  public void killNameNode(int index) throws IOException {
    kill(nameNodes.get(index).process);
  }

  /** Kills a JournalNode as {@code kill -9} does. */
  public void killJournal(int index) throws IOException {
    kill(journals.get(index).process);
  }

  /** Makes one of several NameNodes the active one; none other must believe that it is. */
  public void activate(int index) throws IOException {
    HAServiceProtocolHelper.transitionToActive(service(index), BY_USER);
  }

  /** Has one of several NameNodes stand by. */
  public void standBy(int index) throws IOException {
    HAServiceProtocolHelper.transitionToStandby(service(index), BY_USER);
  }

  private HAServiceProtocol service(int index) throws IOException {
    Configuration conf = configuration();
    return new NNHAServiceTarget(conf, ClusterSettings.NAMESERVICE, ClusterSettings.nameNode(index))
        .getProxy(conf, Math.toIntExact(PATIENCE.toMillis()));
  }

  /**
   * Stops the NameNode as {@code kill -STOP} does: its connections stay open, and nothing is
   * answered.
   */
  public void freezeNameNode() throws IOException {
    signal("STOP", nameNodes.get(0).process);
  }

  /** Lets a NameNode go on that was frozen. */
  public void thawNameNode() throws IOException {
    signal("CONT", nameNodes.get(0).process);
  }

  /** Restarts the NameNode with its storage and ports, and waits until it has left safe mode. */
  public void restartNameNode() throws IOException {
    launchNameNode(0);
    waitActive();
  }

  /** Starts a NameNode with its storage and ports. One of several stands by then. */
  public void launchNameNode(int index) throws IOException {
    NameNodePlace place = nameNodes.get(index);
    String name = index == 0 ? "namenode" : "namenode" + index;
    Path report = reports().resolve(name);
    Files.deleteIfExists(report);
    List<String> arguments =
        new ArrayList<>(List.of("namenode", nameDirectory(index).toString(), report.toString()));
    if (hasSeveralNameNodes()) {
      arguments.add(Integer.toString(index));
    }
    place.process = launch(name, settings.nameNodeJars, auditLog(index), arguments);
    String unused = awaitReport(report, place.process, name);
  }

  /** Starts a JournalNode with its storage and port. */
  public void launchJournal(int index) throws IOException {
    JournalPlace place = journals.get(index);
    String name = "journalnode" + index;
    Path report = reports().resolve(name);
    Files.deleteIfExists(report);
    place.process =
        launch(
            name,
            settings.nameNodeJars,
            auditLog(),
            List.of("journalnode", storage("journal" + index), report.toString(), place.address));
    String unused = awaitReport(report, place.process, name);
  }

  private void launchDataNode(int index) throws IOException {
    Node node = dataNodes.get(index);
    String name = "datanode" + index;
    Path report = reports().resolve(name);
    Files.deleteIfExists(report);
    node.process =
        launch(
            name,
            settings.dataNodeJars.isEmpty()
                ? Optional.empty()
                : Optional.of(settings.dataNodeJars.get(index % settings.dataNodeJars.size())),
            auditLog(),
            List.of(
                "datanode",
                storage("data" + index),
                report.toString(),
                node.hostName,
                node.xferAddress));
  }

  private void awaitDataNode(int index) throws IOException {
    String name = "datanode" + index;
    Node node = dataNodes.get(index);
    node.xferAddress = awaitReport(reports().resolve(name), node.process, name);
  }

  private String storage(String name) {
    return storage.directory().resolve(name).toString();
  }

  /**
   * @param jars the folder of the Hadoop to run; empty for the one of this process
   * @param audit where a NameNode writes its audit log
   */
  private Process launch(String name, Optional<Path> jars, Path audit, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + settings.heapMegabytes + "m");
    // They run for a short time, so a fast start matters most.
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(settings.javaOptions);
    command.add("-Dlogback.configurationFile=" + reports().resolve("logback.xml"));
    command.add("-Dhdfs.audit=" + audit);
    command.add("-Dlog4j.configuration=" + reports().resolve("log4j.properties").toUri());
    command.add("-cp");
    command.add(
        confDirectory()
            + File.pathSeparator
            + jars.map(ProcessHdfs::classPath)
                .orElseGet(() -> System.getProperty("java.class.path")));
    command.add(HdfsProcess.class.getName());
    command.addAll(arguments);
    File log = logs().resolve(name + ".log").toFile();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
        .start();
  }

  private static String classPath(Path jars) {
    try {
      Path ours =
          Path.of(HdfsProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return ours + File.pathSeparator + jars.toAbsolutePath().resolve("*");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the address of the process when it serves. */
  private String awaitReport(Path report, Process process, String name) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(report)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException(
            "The %s %s; its log ends with:%n%s"
                .formatted(
                    name,
                    process.isAlive()
                        ? "did not start within %d s".formatted(PATIENCE.toSeconds())
                        : "ended with exit code " + process.exitValue(),
                    lastLines(logs().resolve(name + ".log"))));
      }
      Pause.of(Duration.ofMillis(20));
    }
    return Files.readString(report);
  }

  private static String lastLines(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
  }

  /** Waits until the NameNode has left safe mode and all running DataNodes have registered. */
  public void waitActive() throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Optional<String> missing = inactiveBecause();
    while (missing.isPresent()) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "After %d s not all of HDFS is active: %s. The log of the NameNode ends with:%n%s"
                .formatted(
                    PATIENCE.toSeconds(),
                    missing.get(),
                    lastLines(logs().resolve("namenode.log"))));
      }
      Pause.of(Duration.ofMillis(50));
      missing = inactiveBecause();
    }
  }

  private Optional<String> inactiveBecause() {
    try {
      List<String> live = new ArrayList<>();
      for (DatanodeInfo node : fileSystem.getDataNodeStats(DatanodeReportType.LIVE)) {
        live.add(node.getXferAddr());
      }
      List<String> absent =
          dataNodes.stream()
              .filter(node -> node.process.isAlive())
              .map(node -> node.xferAddress)
              .filter(address -> !live.contains(address))
              .toList();
      if (!absent.isEmpty()) {
        return Optional.of("DataNodes %s have not registered".formatted(absent));
      }
      return fileSystem.isInSafeMode()
          ? Optional.of("the NameNode is in safe mode")
          : Optional.empty();
    } catch (IOException e) {
      // It is not up yet, or the connection is that to a NameNode killed before.
      return Optional.of("the NameNode does not answer: " + e.getMessage());
    }
  }

  private void writeConfiguration() throws IOException {
    Configuration conf = new Configuration(false);
    settings.configure(conf, ClusterSettings.HEARTBEAT);
    if (hasSeveralNameNodes()) {
      ClusterSettings.severalNameNodes(conf);
      ClusterSettings.clientOfSeveral(
          conf, uris(place -> place.rpcPort), uris(place -> place.httpPort));
      conf.set(
          "dfs.namenode.shared.edits.dir",
          journals.stream()
              .map(journal -> journal.address)
              .collect(Collectors.joining(";", "qjournal://", "/" + ClusterSettings.NAMESERVICE)));
    } else {
      conf.set("dfs.namenode.rpc-address", LOOPBACK + nameNodes.get(0).rpcPort);
      conf.set("dfs.namenode.http-address", LOOPBACK + nameNodes.get(0).httpPort);
    }
    for (int i = 0; i < nameNodes.size(); i++) {
      conf.set(
          "dfs.namenode.https-address"
              + (hasSeveralNameNodes() ? ClusterSettings.ofNameNode(i) : ""),
          "localhost:" + nameNodes.get(i).httpsPort); // with Kerberos, its ticket names a host
    }
    // DataNodes are not told apart by IP address here, and none of them has a name that resolves.
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    settings.override(conf);
    write("hdfs-site.xml", conf);
    Configuration core = new Configuration(false);
    core.set("fs.defaultFS", uri().toString());
    settings.override(core);
    write("core-site.xml", core);
  }

  private List<URI> uris(ToIntFunction<NameNodePlace> port) {
    return nameNodes.stream()
        .map(place -> URI.create("hdfs://" + LOOPBACK + port.applyAsInt(place)))
        .toList();
  }

  private void write(String name, Configuration conf) throws IOException {
    try (OutputStream out = Files.newOutputStream(confDirectory().resolve(name))) {
      conf.writeXml(out);
    }
  }

  private static void signal(String name, Process process) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start();
    try {
      if (kill.waitFor() != 0) {
        throw new IOException("Process %d cannot be sent %s".formatted(process.pid(), name));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while a process was sent a signal", e);
    }
  }

  private static void kill(Process process) throws IOException {
    process.destroyForcibly();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("Process %d does not end".formatted(process.pid()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while a process was killed", e);
    }
  }

  /** Kills all processes and removes the directory, unless the caller has given it. */
  @Override
  public void close() throws IOException {
    try {
      if (fileSystem != null) {
        fileSystem.close();
      }
    } finally {
      List<Process> processes = new ArrayList<>();
      dataNodes.forEach(node -> processes.add(node.process));
      nameNodes.forEach(node -> processes.add(node.process));
      journals.forEach(node -> processes.add(node.process));
      for (Process process : processes) {
        if (process != null) {
          kill(process);
        }
      }
      for (Node node : dataNodes) {
        if (node.disk.isPresent()) {
          node.disk.get().close();
        }
      }
      storage.close();
    }
  }

  /** The options of the cluster. */
  public static final class Builder extends HdfsBuilder<Builder> {
    private int heapMegabytes = 192;
    private int nameNodes = 1;
    private int diskMegabytes;
    private List<String> javaOptions = List.of();
    private Optional<Path> nameNodeJars = Optional.empty();
    private List<Path> dataNodeJars = List.of();
    private boolean auditLog;

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /** Sets the heap of each process; the default is 192 MB. */
    public Builder heapMegabytes(int size) {
      heapMegabytes = size;
      return this;
    }

    /**
     * Sets how many NameNodes there are. If several, the first is the active one at the start, and
     * three JournalNodes keep their edits.
     */
    public Builder nameNodes(int count) {
      nameNodes = count;
      return this;
    }

    /**
     * Gives each DataNode a disk of its own, of this size, that {@link #fillDisk} can fill; with 0,
     * as by default, they share one. See {@link #mayMountDisks}.
     */
    public Builder smallDisks(int megabytes) {
      diskMegabytes = megabytes;
      // By default a DataNode takes no block that would leave less than 1 GB free.
      return set("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0");
    }

    /** Has the NameNode write its audit log, see {@link ProcessHdfs#auditLog()}. */
    public Builder withAuditLog() {
      auditLog = true;
      return this;
    }

    /** Runs the NameNode of the Hadoop in a folder of jars; the default is that of this process. */
    public Builder nameNodeJars(Path folder) {
      nameNodeJars = Optional.of(folder);
      return this;
    }

    /** Runs the DataNodes of the Hadoops in these folders of jars, in turn. */
    public Builder dataNodeJars(List<Path> folders) {
      dataNodeJars = List.copyOf(folders);
      return this;
    }

    /** Sets further options of each Java process. */
    public Builder javaOptions(String... options) {
      javaOptions = List.of(options);
      return this;
    }

    public ProcessHdfs start() throws IOException {
      boolean mayHoldNamespace = false;
      ProcessHdfs hdfs =
          new ProcessHdfs(
              this,
              directory == null ? Storage.temporary() : Storage.at(directory, mayHoldNamespace));
      try {
        hdfs.startAll();
        return hdfs;
      } catch (IOException | RuntimeException e) {
        hdfs.close();
        throw e;
      }
    }
  }
}
