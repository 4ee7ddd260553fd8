// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.RMHAServiceTarget;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * A YARN with MapReduce that works on an HDFS. Each ResourceManager and each NodeManager is a
 * process of its own, on the jars of an installed Hadoop, so that it can be killed. Not for
 * concurrent use.
 */
public final class EmbeddedYarn implements AutoCloseable {
  private static final String RESOURCE_MANAGER =
      "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager";
  private static final String NODE_MANAGER =
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
  private static final Duration UNTIL_KILLED = Duration.ofMillis(50);
  private static final Duration TO_END = Duration.ofSeconds(15);
  private static final short WRITTEN_BY_ALL = 01777;
  private static final int LINES_OF_LOG = 20;
  private static final List<String> SERVICES =
      List.of(
          "address",
          "scheduler.address",
          "resource-tracker.address",
          "admin.address",
          "webapp.address");

  private final FileSystem hdfs;
  private final HadoopJars jars;
  private final Path directory;
  private final Map<String, String> settings;
  private final List<String> javaOptions;
  private final List<Process> nodeManagers = new ArrayList<>();
  private final List<Process> resourceManagers = new ArrayList<>();

  private EmbeddedYarn(Builder builder) throws IOException {
    this.hdfs = builder.hdfs;
    this.jars = builder.jars;
    this.directory = builder.directory.toAbsolutePath().normalize();
    this.settings = settings(builder);
    this.javaOptions = List.copyOf(builder.javaOptions);
  }

  /**
   * Prepares a YARN.
   *
   * @param hdfs on which its jobs work, as a user who may write to its root
   * @param directory for its files; made if it is not there
   */
  public static Builder builder(FileSystem hdfs, HadoopJars jars, Path directory) {
    return new Builder(hdfs, jars, directory);
  }

  /** Collects the settings of a YARN, and starts it. */
  public static final class Builder {
    private final FileSystem hdfs;
    private final HadoopJars jars;
    private final Path directory;
    private final List<Path> classes = new ArrayList<>();
    private final Map<String, String> settings = new TreeMap<>();
    private final List<String> javaOptions = new ArrayList<>();
    private int resourceManagers = 1;
    private int nodeManagers = 1;

    private Builder(FileSystem hdfs, HadoopJars jars, Path directory) {
      this.hdfs = hdfs;
      this.jars = jars;
      this.directory = directory;
    }

    /**
     * Two ResourceManagers, of which the first is active. The other one takes over when told to.
     */
    public Builder withStandby() {
      resourceManagers = 2;
      return this;
    }

    /** How many; default 1. */
    public Builder nodeManagers(int count) {
      nodeManagers = count;
      return this;
    }

    /** Directories with classes that containers need besides those jars. */
    public Builder classes(List<Path> directories) {
      classes.addAll(directories);
      return this;
    }

    /** A setting of Hadoop, in place of what is set here for a small YARN. */
    public Builder set(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /** An option for the Java of the ResourceManager, the NodeManagers and all containers. */
    public Builder javaOption(String option) {
      javaOptions.add(option);
      return this;
    }

    /** Starts it, and waits until all its NodeManagers have registered. */
    public EmbeddedYarn start() throws IOException {
      EmbeddedYarn yarn = new EmbeddedYarn(this);
      try {
        yarn.startAll(resourceManagers, nodeManagers);
        return yarn;
      } catch (IOException | RuntimeException e) {
        yarn.close();
        throw e;
      }
    }
  }

  /** Returns the settings by which the user of this process may act for others. */
  public static Map<String, String> actForOthers() {
    String user = System.getProperty("user.name");
    return Map.of(
        "hadoop.proxyuser." + user + ".hosts", "*", "hadoop.proxyuser." + user + ".users", "*");
  }

  /** Small, as it shares a machine with an HDFS. */
  private static Map<String, String> settings(Builder builder) throws IOException {
    List<String> containers = new ArrayList<>(builder.jars.entries());
    builder.classes.forEach(each -> containers.add(each.toAbsolutePath().toString()));
    Map<String, String> all = new TreeMap<>(actForOthers());
    all.put("fs.defaultFS", builder.hdfs.getUri().toString());
    Set<Integer> ports = new TreeSet<>();
    while (ports.size() < SERVICES.size() * builder.resourceManagers) {
      ports.add(UnusedPort.find());
    }
    Iterator<Integer> port = ports.iterator();
    for (int i = 0; i < builder.resourceManagers; i++) {
      String suffix = builder.resourceManagers == 1 ? "" : "." + id(i);
      for (String service : SERVICES) {
        all.put("yarn.resourcemanager." + service + suffix, "localhost:" + port.next());
      }
    }
    if (builder.resourceManagers > 1) {
      all.put("yarn.resourcemanager.ha.enabled", "true");
      all.put("yarn.resourcemanager.ha.automatic-failover.enabled", "false");
      all.put("yarn.resourcemanager.ha.rm-ids", id(0) + "," + id(1));
      all.put("yarn.resourcemanager.cluster-id", "embedded");
    }
    all.put("yarn.resourcemanager.recovery.enabled", "true");
    all.put(
        "yarn.resourcemanager.store.class",
        "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore");
    all.put("yarn.resourcemanager.connect.retry-interval.ms", "1000");
    all.put("yarn.am.liveness-monitor.expiry-interval-ms", "60000");
    all.put("yarn.nm.liveness-monitor.expiry-interval-ms", "20000");
    all.put("yarn.scheduler.minimum-allocation-mb", "256");
    all.put("yarn.scheduler.capacity.root.queues", "default");
    all.put("yarn.scheduler.capacity.root.default.capacity", "100");
    all.put("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
    all.put("yarn.nodemanager.hostname", "localhost");
    all.put("yarn.nodemanager.address", "localhost:0");
    all.put("yarn.nodemanager.localizer.address", "localhost:0");
    all.put("yarn.nodemanager.webapp.address", "localhost:0");
    all.put("yarn.nodemanager.resource.memory-mb", "2048");
    all.put("yarn.nodemanager.vmem-check-enabled", "false");
    all.put("yarn.nodemanager.pmem-check-enabled", "false");
    all.put("yarn.nodemanager.disk-health-checker.enable", "false");
    all.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    all.put("mapreduce.shuffle.port", "0");
    all.put("yarn.app.mapreduce.am.resource.mb", "512");
    all.put("yarn.app.mapreduce.am.command-opts", "-Xmx300m -XX:TieredStopAtLevel=1");
    all.put("yarn.app.mapreduce.am.staging-dir", "/tmp/hadoop-yarn/staging");
    // A job that ends is gone at once.
    all.put("yarn.app.mapreduce.client-am.ipc.max-retries", "1");
    all.put("mapreduce.framework.name", "yarn");
    all.put("yarn.application.classpath", String.join(",", containers));
    all.put("mapreduce.application.classpath", String.join(",", containers));
    if (!builder.javaOptions.isEmpty()) {
      all.put(
          "yarn.nodemanager.admin-env",
          "JAVA_TOOL_OPTIONS=" + String.join(" ", builder.javaOptions));
    }
    all.putAll(builder.settings);
    return all;
  }

  /** The name of a ResourceManager of a pair. */
  private static String id(int resourceManager) {
    return "rm" + resourceManager;
  }

  private void startAll(int masters, int count) throws IOException {
    settings.put(
        "yarn.resourcemanager.fs.state-store.uri", directory.resolve("state").toUri().toString());
    Configuration site = new Configuration(false);
    settings.forEach(site::set);
    Files.createDirectories(conf());
    // The defaults of each part of Hadoop override what the files of the parts before it say.
    for (String file :
        List.of("core-site.xml", "yarn-site.xml", "mapred-site.xml", "capacity-scheduler.xml")) {
      try (OutputStream out = Files.newOutputStream(conf().resolve(file))) {
        site.writeXml(out);
      }
    }
    Files.writeString(
        conf().resolve("log4j.properties"),
        """
        log4j.rootLogger=INFO,console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%d{HH:mm:ss.SSS} %p %c{1}: %m%n
        """);
    org.apache.hadoop.fs.Path staging =
        new org.apache.hadoop.fs.Path(settings.get("yarn.app.mapreduce.am.staging-dir"));
    boolean unused = hdfs.mkdirs(staging);
    hdfs.setPermission(staging, new FsPermission(WRITTEN_BY_ALL));
    for (int i = 0; i < masters; i++) {
      resourceManagers.add(launchResourceManager(i));
    }
    if (masters > 1) {
      activate(0);
    }
    for (int i = 0; i < count; i++) {
      nodeManagers.add(launch("nodemanager-" + i, NODE_MANAGER));
    }
    awaitNodeManagers();
  }

  private Path conf() {
    return directory.resolve("conf");
  }

  private Process launchResourceManager(int number) throws IOException {
    return launch(
        "resourcemanager-" + number,
        RESOURCE_MANAGER,
        "-D",
        YarnConfiguration.RM_HA_ID + "=" + id(number));
  }

  /** Makes a ResourceManager of a pair the active one, as soon as it answers. */
  private void activate(int number) throws IOException {
    YarnConfiguration conf = new YarnConfiguration(configuration());
    conf.set(YarnConfiguration.RM_HA_ID, id(number));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        HAServiceProtocol its =
            new RMHAServiceTarget(conf).getProxy(conf, Math.toIntExact(PATIENCE.toMillis()));
        try {
          its.transitionToActive(
              new StateChangeRequestInfo(HAServiceProtocol.RequestSource.REQUEST_BY_USER_FORCED));
          return;
        } finally {
          RPC.stopProxy(its);
        }
      } catch (IOException e) {
        if (!resourceManagers.get(number).isAlive()) {
          throw ended("resourcemanager-" + number);
        }
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
        Pause.of(BETWEEN_LOOKS);
      }
    }
  }

  private Process launch(String name, String mainClass, String... more) throws IOException {
    List<String> classPath = new ArrayList<>(List.of(conf().toString()));
    classPath.addAll(jars.entries());
    classPath.add(ourClasses());
    Path files = Files.createDirectories(directory.resolve(name));
    String java = System.getProperty("java.home");
    List<String> command = new ArrayList<>();
    command.add(Path.of(java, "bin", "java").toString());
    command.addAll(javaOptions);
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            String.join(File.pathSeparator, classPath),
            EndWithParent.class.getName(),
            mainClass,
            "-D",
            "hadoop.tmp.dir=" + files,
            "-D",
            "yarn.nodemanager.local-dirs=" + files.resolve("local"),
            "-D",
            "yarn.nodemanager.log-dirs=" + files.resolve("logs")));
    command.addAll(List.of(more));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", java);
    return builder
        .directory(files.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
        .start();
  }

  private static String ourClasses() throws IOException {
    try {
      return Path.of(
              EndWithParent.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private Path log(String name) {
    return directory.resolve(name + ".log");
  }

  /** Returns the configuration of clients of both, the HDFS and this YARN. */
  public Configuration configuration() {
    Configuration conf = new Configuration(hdfs.getConf());
    settings.forEach(conf::set);
    // Its racks are those of its DataNodes, which containers on one machine cannot tell apart.
    conf.set("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.ScriptBasedMapping");
    return conf;
  }

  private void awaitNodeManagers() throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!haveRegistered()) {
      requireAlive();
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "Not all of %d NodeManagers have registered within %d s. The ResourceManager says: %s"
                .formatted(
                    nodeManagers.size(), PATIENCE.toSeconds(), endOfLog("resourcemanager-0")));
      }
      Pause.of(BETWEEN_LOOKS);
    }
  }

  /** Asks once, and not for long, so that a process that has ended is noticed. */
  private boolean haveRegistered() {
    YarnConfiguration conf = new YarnConfiguration(configuration());
    conf.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, BETWEEN_LOOKS.toMillis());
    conf.setLong(
        YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, BETWEEN_LOOKS.toMillis());
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(conf);
      yarn.start();
      return yarn.getNodeReports(NodeState.RUNNING).size() == nodeManagers.size();
    } catch (IOException | YarnException e) {
      return false;
    }
  }

  private void requireAlive() throws IOException {
    for (int i = 0; i < resourceManagers.size(); i++) {
      if (!resourceManagers.get(i).isAlive()) {
        throw ended("resourcemanager-" + i);
      }
    }
    for (int i = 0; i < nodeManagers.size(); i++) {
      if (!nodeManagers.get(i).isAlive()) {
        throw ended("nodemanager-" + i);
      }
    }
  }

  private IOException ended(String name) throws IOException {
    return new IOException("The %s has ended: %s".formatted(name, endOfLog(name)));
  }

  private String endOfLog(String name) throws IOException {
    List<String> lines = Files.readAllLines(log(name));
    return String.join(
        System.lineSeparator(),
        lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size()));
  }

  /** Kills the first ResourceManager as {@code kill -9} does. Containers go on. */
  public void killResourceManager() throws IOException {
    kill(resourceManagers.get(0));
  }

  /** Starts a ResourceManager again that was killed, on the same ports. */
  public void restartResourceManager() throws IOException {
    resourceManagers.set(0, launchResourceManager(0));
  }

  /** Kills the active ResourceManager of a pair, and makes the other one active. */
  public void failOver() throws IOException {
    kill(resourceManagers.get(0));
    activate(1);
  }

  /**
   * Kills a NodeManager that has containers as {@code kill -9} does, and its containers with it:
   * its machine is gone.
   */
  public void killBusyNodeManager() throws IOException {
    for (int i = 0; i < nodeManagers.size(); i++) {
      Path files = directory.resolve("nodemanager-" + i);
      if (nodeManagers.get(i).isAlive() && !processesOf(files).isEmpty()) {
        kill(nodeManagers.get(i));
        killContainers(files);
        return;
      }
    }
    throw new IOException("No NodeManager has containers");
  }

  /** One that is just starting shows its command later. */
  private static void killContainers(Path nodeManager) throws IOException {
    for (List<ProcessHandle> left = processesOf(nodeManager);
        !left.isEmpty();
        left = processesOf(nodeManager)) {
      left.forEach(ProcessHandle::destroyForcibly);
      Pause.of(UNTIL_KILLED);
    }
  }

  /** Returns the processes of its containers whose Java runs this class. */
  public List<ProcessHandle> containers(String mainClass) {
    List<ProcessHandle> found = new ArrayList<>();
    for (int i = 0; i < nodeManagers.size(); i++) {
      processesOf(directory.resolve("nodemanager-" + i)).stream()
          .filter(process -> process.info().command().orElse("").endsWith("java"))
          .filter(process -> process.info().commandLine().orElse("").contains(mainClass))
          .forEach(found::add);
    }
    return found;
  }

  /** A container works below the local directory of its NodeManager, whose path its command has. */
  private static List<ProcessHandle> processesOf(Path nodeManager) {
    String below = nodeManager.resolve("local").resolve("usercache").toString();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.filter(each -> each.info().commandLine().orElse("").contains(below)).toList();
    }
  }

  private static void kill(Process process) throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while a process was killed", e);
    }
  }

  /** Ends it, with all its containers. */
  @Override
  public void close() throws IOException {
    List<Process> processes = new ArrayList<>(nodeManagers);
    processes.addAll(resourceManagers);
    processes.forEach(Process::destroy);
    long deadline = System.nanoTime() + TO_END.toNanos();
    try {
      for (Process process : processes) {
        if (!process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
          kill(process);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      processes.forEach(Process::destroyForcibly);
    }
    for (int i = 0; i < nodeManagers.size(); i++) {
      killContainers(directory.resolve("nodemanager-" + i));
    }
  }
}
