package io.hdfsraid.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.util.RwLockMode;

/**
 * An HDFS in this process: one NameNode, or a pair, and any number of DataNodes, on several racks,
 * that talk over real sockets. Nodes are numbered from 0 and keep their number, storage and port
 * while they are stopped. What is done to a replica is done to its files; neither NameNode nor
 * DataNode is told.
 *
 * <p>Verbs may be called from one thread at a time.
 *
 * <p>Every HTTP server of HDFS looks for {@code webapps/<name>} on the class path and unpacks the
 * whole jar that it is found in. This module has such directories, empty, and must stand before the
 * jar of the mini cluster (56 MB): the start is then several times faster.
 */
public final class EmbeddedHdfs implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /**
   * A NameNode that starts may drop a report whose lease another had given, and says so to nobody;
   * the DataNode would send the next one six hours later.
   */
  private static final Duration REPORT_PATIENCE = Duration.ofSeconds(10);

  private static final String READ_LIMIT = "dfs.datanode.data.read.bandwidthPerSec";
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");

  private final MiniDFSCluster cluster;
  private final Storage storage;
  private final Configuration configuration;
  private final DistributedFileSystem fileSystem;
  private final List<Slot> slots = new ArrayList<>();
  private final int racks;
  private final long nodeCapacity;
  private int activeNameNode;

  /** The place of one DataNode in the cluster, whether it runs or not. */
  private static final class Slot {
    final EmbeddedNode node;
    final Replicas replicas;
    DataNode dataNode;
    MiniDFSCluster.DataNodeProperties stopped;
    long bytesReadBefore;
    long bytesWrittenBefore;

    Slot(EmbeddedNode node, DataNode dataNode, Replicas replicas) {
      this.node = node;
      this.dataNode = dataNode;
      this.replicas = replicas;
    }

    boolean running() {
      return stopped == null;
    }

    long bytesRead() {
      return bytesReadBefore + (running() ? DataNodeCounters.bytesRead(dataNode) : 0);
    }

    long bytesWritten() {
      return bytesWrittenBefore + (running() ? DataNodeCounters.bytesWritten(dataNode) : 0);
    }
  }

  private EmbeddedHdfs(Builder builder, Storage storage) throws IOException {
    this.storage = storage;
    requireMiniClusterFirst();
    Configuration conf = new HdfsConfiguration();
    HdfsSettings.apply(conf, builder.blockSize, builder.blockTokens);
    conf.setLong("dfs.heartbeat.interval", builder.heartbeat.toSeconds());
    conf.setLong(
        "dfs.namenode.redundancy.interval.seconds", builder.redundancyInterval.toSeconds());
    if (builder.staleAfter != null) {
      HdfsSettings.staleAfter(conf, builder.staleAfter);
    }
    if (builder.deadAfter != null) {
      HdfsSettings.deadAfter(conf, builder.deadAfter, builder.heartbeat);
    }
    HdfsSettings.addAll(conf, builder.settings);
    String[] hosts = new String[builder.dataNodes];
    String[] racks = new String[builder.dataNodes];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = RackFromHostName.hostName(i, builder.racks);
      racks[i] = RackFromHostName.rackOf(hosts[i]);
    }
    MiniDFSCluster.Builder mini =
        new MiniDFSCluster.Builder(conf, storage.directory().toFile())
            .numDataNodes(builder.dataNodes)
            .storagesPerDatanode(1)
            .hosts(hosts)
            .useConfiguredTopologyMappingClass(true)
            .format(!storage.holdsNamespace())
            .checkExitOnShutdown(false);
    if (builder.nameNodePair) {
      HdfsSettings.pairOfNameNodes(conf);
      mini.nnTopology(MiniDFSNNTopology.simpleHATopology());
    } else {
      mini.nameNodePort(builder.nameNodePort).nameNodeHttpPort(builder.nameNodeHttpPort);
    }
    if (builder.nodeCapacity > 0) {
      mini.storageCapacities(new long[] {builder.nodeCapacity});
    }
    this.racks = builder.racks;
    this.nodeCapacity = builder.nodeCapacity;
    cluster = mini.build();
    try {
      if (builder.nameNodePair) {
        cluster.transitionToActive(activeNameNode);
      }
      for (int i = 0; i < racks.length; i++) {
        addSlot(i, racks[i], cluster.getDataNodes().get(i));
      }
      configuration = new Configuration(cluster.getConfiguration(0));
      if (builder.nameNodePair) {
        HdfsSettings.clientOfPair(
            configuration,
            List.of(cluster.getURI(0), cluster.getURI(1)),
            List.of(httpUri(0), httpUri(1)));
      } else {
        configuration.set("fs.defaultFS", cluster.getURI(0).toString());
      }
      fileSystem = (DistributedFileSystem) FileSystem.newInstance(uri(), configuration);
      waitActive();
      if (builder.nameNodePair) {
        triggerBlockReports(); // those that the active one got as a standby do not count
      }
    } catch (IOException | RuntimeException e) {
      cluster.shutdown();
      throw e;
    }
  }

  /** The mini cluster lists running nodes only; its newest comes last. */
  private void addSlot(int index, String rack, DataNode dataNode) {
    EmbeddedNode node =
        new EmbeddedNode(
            index, dataNode.getDatanodeUuid(), dataNode.getDatanodeId().getXferAddr(), rack);
    Path storageOfNode = cluster.getInstanceStorageDir(index, 0).toPath();
    slots.add(new Slot(node, dataNode, new Replicas(List.of(storageOfNode))));
  }

  /**
   * Its NameNode uses relocated libraries; that of hadoop-hdfs asks for an old Jetty and dies with
   * NoClassDefFoundError.
   */
  private static void requireMiniClusterFirst() {
    URL nameNode = NameNode.class.getProtectionDomain().getCodeSource().getLocation();
    URL miniCluster = MiniDFSCluster.class.getProtectionDomain().getCodeSource().getLocation();
    if (!nameNode.toString().equals(miniCluster.toString())) {
      throw new IllegalStateException(
          "%s stands before %s on the class path: put hdfs-raid-embedded first"
              .formatted(nameNode, miniCluster));
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A plain client, as root; closed with the cluster. */
  public DistributedFileSystem fileSystem() {
    return fileSystem;
  }

  /** A copy of what a client needs, {@code fs.defaultFS} included. */
  public Configuration configuration() {
    return new Configuration(configuration);
  }

  /** Of the NameNode; the name of both where there is a pair. */
  public URI uri() {
    return FileSystem.getDefaultUri(configuration);
  }

  /** Where the active NameNode answers {@code /fsck}, {@code /imagetransfer} and {@code /jmx}. */
  public URI httpUri() {
    return httpUri(activeNameNode);
  }

  private URI httpUri(int nameNode) {
    return URI.create(
        "http://127.0.0.1:" + cluster.getNameNode(nameNode).getHttpAddress().getPort());
  }

  /** As it was chosen or given; below it lies everything the cluster stores. */
  public Path directory() {
    return storage.directory();
  }

  /** Running or not, by index. */
  public List<EmbeddedNode> dataNodes() {
    return slots.stream().map(slot -> slot.node).toList();
  }

  /** The node at this address; {@code IllegalArgumentException} if there is none. */
  public EmbeddedNode dataNodeAt(String xferAddress) {
    return dataNodes().stream()
        .filter(node -> node.xferAddress().equals(xferAddress))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "No DataNode at %s; there are %s".formatted(xferAddress, dataNodes())));
  }

  public boolean isRunning(int node) {
    return slots.get(node).running();
  }

  /**
   * The NameNode goes on believing in the node until its heartbeats have been missing for long, or
   * {@link #declareDead}.
   */
  public void stopDataNode(int node) {
    Slot slot = slots.get(node);
    if (!slot.running()) {
      throw new IllegalStateException("DataNode %d is stopped already".formatted(node));
    }
    slot.bytesReadBefore = slot.bytesRead();
    slot.bytesWrittenBefore = slot.bytesWritten();
    slot.stopped = cluster.stopDataNode(slot.node.xferAddress());
  }

  /** Comes back with its port and its replicas; returns when the NameNode has their report. */
  public void restartDataNode(int node) throws IOException {
    Slot slot = slots.get(node);
    if (slot.running()) {
      throw new IllegalStateException("DataNode %d is running".formatted(node));
    }
    restartOnSamePort(slot);
    slot.dataNode = cluster.getDataNodes().get(cluster.getDataNodes().size() - 1);
    slot.stopped = null;
    waitActive();
  }

  /** Somebody's connection may have got the port meanwhile: it is waited for. */
  private void restartOnSamePort(Slot slot) throws IOException {
    boolean samePort = true;
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        cluster.restartDataNode(slot.stopped, samePort);
        return;
      } catch (BindException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        Pause.of(Duration.ofMillis(200));
      }
    }
  }

  /**
   * Starts more nodes, empty, on the racks that their numbers give; they have reported on return.
   */
  public void addDataNodes(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      addDataNode(slots.size());
    }
    waitActive();
  }

  private void addDataNode(int index) throws IOException {
    // The mini cluster numbers directories by how many nodes run: after one was stopped, it would
    // give the new one those of another.
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.set("dfs.datanode.data.dir", cluster.getInstanceStorageDir(index, 0).toURI().toString());
    String host = RackFromHostName.hostName(index, racks);
    boolean manageDirectories = false;
    boolean setupHostsFile = false;
    boolean checkAddress = false;
    boolean checkHost = false;
    int running = cluster.getDataNodes().size();
    cluster.startDataNodes(
        conf,
        1,
        null,
        manageDirectories,
        null,
        null,
        new String[] {host},
        nodeCapacity > 0 ? new long[][] {{nodeCapacity}} : null,
        null,
        setupHostsFile,
        checkAddress,
        checkHost,
        null,
        null,
        null);
    addSlot(index, RackFromHostName.rackOf(host), cluster.getDataNodes().get(running));
  }

  /**
   * Has the NameNode copy what is on a node elsewhere and place nothing new there, as {@code
   * dfsadmin -refreshNodes} does for a node that was taken off the list.
   */
  public void decommission(int node) {
    nodesOfNameNode().getDatanodeAdminManager().startDecommission(descriptor(node));
  }

  public boolean isDecommissioned(int node) {
    return descriptor(node).isDecommissioned();
  }

  /** The node will be away for a while: what it holds is not copied beyond what is configured. */
  public void startMaintenance(int node) {
    nodesOfNameNode().getDatanodeAdminManager().startMaintenance(descriptor(node), Long.MAX_VALUE);
  }

  /** Back in service, after maintenance or in spite of being decommissioned. */
  public void putInService(int node) {
    nodesOfNameNode().getDatanodeAdminManager().stopMaintenance(descriptor(node));
    nodesOfNameNode().getDatanodeAdminManager().stopDecommission(descriptor(node));
  }

  private DatanodeDescriptor descriptor(int node) {
    return nodesOfNameNode().getDatanode(slots.get(node).node.uuid());
  }

  /**
   * Runs HDFS's own balancer until no node is further from the average than so many percent of its
   * capacity, or it finds nothing more to move. Sensible only with {@link Builder#nodeCapacity}.
   */
  public void balance(int threshold) throws IOException {
    HadoopBalancer.run(configuration(), threshold);
  }

  /** Makes the NameNode notice now what it would notice after the dead interval. */
  public void declareDead(int node) throws IOException {
    Slot slot = slots.get(node);
    if (slot.running()) {
      throw new IllegalStateException(
          "DataNode %d is running: its next heartbeat would revive it".formatted(node));
    }
    DatanodeDescriptor known = nodesOfNameNode().getDatanode(slot.node.uuid());
    if (known != null && known.isAlive()) { // a NameNode restarted since has never heard of it
      DFSTestUtil.setDatanodeDead(known);
      BlockManagerTestUtil.checkHeartbeat(namesystem().getBlockManager());
    }
  }

  /**
   * Same port; all running DataNodes have reported to it on return. With more than one block in a
   * thousand lost, a NameNode never leaves safe mode by itself: set {@code
   * dfs.namenode.safemode.threshold-pct} to 0 where that is wanted.
   */
  public void restartNameNode() throws IOException {
    boolean waitActive = false; // that waits for ever when a DataNode is stopped
    cluster.restartNameNode(activeNameNode, waitActive);
    if (cluster.getNumNameNodes() > 1) {
      cluster.transitionToActive(activeNameNode); // one of a pair comes back as the standby
    }
    waitActive();
    renewConnection();
  }

  /**
   * The standby of a pair becomes an observer, which answers reads, and hears of changes only by
   * {@link #observerCatchesUp}. Wants {@code dfs.ha.tail-edits.in-progress} to be true.
   */
  public void standbyObserves() throws IOException {
    if (cluster.getNumNameNodes() != 2) {
      throw new IllegalStateException("There is one NameNode: build the cluster with a pair");
    }
    cluster.transitionToObserver(1 - activeNameNode);
    cluster.getNamesystem(1 - activeNameNode).getEditLogTailer().stop();
  }

  /** The observer learns all that has happened by now; safe to call from any thread. */
  public synchronized void observerCatchesUp() throws IOException {
    try {
      cluster.getNamesystem(1 - activeNameNode).getEditLogTailer().doTailEdits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the observer caught up");
    }
  }

  /**
   * The standby of a pair becomes active, and the active one the standby. As in production the new
   * one does not delete excess replicas before it has a full block report of their nodes ({@link
   * #triggerBlockReports}).
   */
  public void failOver() throws IOException {
    if (cluster.getNumNameNodes() != 2) {
      throw new IllegalStateException("There is one NameNode: build the cluster with a pair");
    }
    cluster.transitionToStandby(activeNameNode);
    activeNameNode = 1 - activeNameNode;
    cluster.transitionToActive(activeNameNode);
    waitActive();
  }

  /** The standby of a pair is gone, for good. */
  public void stopStandby() {
    if (cluster.getNumNameNodes() != 2) {
      throw new IllegalStateException("There is one NameNode: build the cluster with a pair");
    }
    cluster.shutdownNameNode(1 - activeNameNode);
  }

  /**
   * The clients of a process share a connection; the first call on one that broke fails: let it be
   * ours.
   */
  private void renewConnection() throws IOException {
    try {
      fileSystem.getFileStatus(ROOT);
    } catch (IOException broken) {
      fileSystem.getFileStatus(ROOT);
    }
  }

  /**
   * Returns when the NameNode is out of safe mode and has heard of all replicas of all running
   * DataNodes.
   */
  public void waitActive() throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long ask = System.nanoTime() + REPORT_PATIENCE.toNanos();
    while (true) {
      List<EmbeddedNode> missing =
          slots.stream()
              .filter(slot -> slot.running() && !reported(slot))
              .map(slot -> slot.node)
              .toList();
      if (missing.isEmpty() && !namesystem().isInSafeMode()) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            missing.isEmpty()
                ? "The NameNode stays in safe mode (blocks lost for good?): "
                    + namesystem().getSafemode()
                : "After %d s the NameNode has no report of %s"
                    .formatted(PATIENCE.toSeconds(), missing));
      }
      if (System.nanoTime() > ask) {
        ask = System.nanoTime() + REPORT_PATIENCE.toNanos();
        for (Slot slot : running()) {
          slot.dataNode.triggerBlockReport(
              new BlockReportOptions.Factory().setIncremental(false).build());
        }
      }
      Pause.of(Duration.ofMillis(20));
    }
  }

  private boolean reported(Slot slot) {
    if (!slot.dataNode.isDatanodeFullyStarted()) {
      return false;
    }
    DatanodeDescriptor known = nodesOfNameNode().getDatanode(slot.dataNode.getDatanodeUuid());
    return known != null
        && known.isAlive()
        && known.getXferAddr().equals(slot.node.xferAddress())
        && known.checkBlockReportReceived();
  }

  private DatanodeManager nodesOfNameNode() {
    return namesystem().getBlockManager().getDatanodeManager();
  }

  private FSNamesystem namesystem() {
    return cluster.getNamesystem(activeNameNode);
  }

  /** Whether any file, live or in a snapshot, holds the block. */
  public boolean knowsBlock(long blockId) {
    return namesystem().getBlockManager().getStoredBlock(new Block(blockId)) != null;
  }

  /**
   * How many good replicas of the block the NameNode counts on: neither those it is about to delete
   * nor those on nodes that leave; 0 for a block that nothing holds.
   */
  public int replicasThatStay(long blockId) {
    BlockInfo stored = namesystem().getBlockManager().getStoredBlock(new Block(blockId));
    if (stored == null) {
      return 0;
    }
    namesystem().readLock(RwLockMode.BM);
    try {
      return namesystem().getBlockManager().countNodes(stored).liveReplicas();
    } finally {
      namesystem().readUnlock(RwLockMode.BM, "replicasThatStay");
    }
  }

  /** Flips bytes in the middle of the replica. */
  public void corruptReplica(long blockId, int node) throws IOException {
    corruptReplica(blockId, node, Files.size(dataFile(blockId, node)) / 2);
  }

  /** Flips up to 16 bytes from the offset. */
  public void corruptReplica(long blockId, int node, long offset) throws IOException {
    dataFile(blockId, node);
    slots.get(node).replicas.corrupt(blockId, offset);
  }

  /** Removes the replica's data and its checksums. */
  public void deleteReplica(long blockId, int node) throws IOException {
    dataFile(blockId, node);
    slots.get(node).replicas.delete(blockId);
  }

  /** The file with the bytes of the replica. */
  public Path dataFile(long blockId, int node) throws IOException {
    return slots
        .get(node)
        .replicas
        .dataFile(blockId)
        .orElseThrow(
            () ->
                new IOException(
                    "DataNode %d has no file of block %d; found on %s"
                        .formatted(node, blockId, replicasOnDisk(blockId))));
  }

  /** The nodes that hold a data file of the block, sound or not, running or not. */
  public List<EmbeddedNode> replicasOnDisk(long blockId) {
    return slots.stream()
        .filter(slot -> slot.replicas.dataFile(blockId).isPresent())
        .map(slot -> slot.node)
        .toList();
  }

  /**
   * The data files on the disk of the node, running or not, by block id; sound or not, finished or
   * still being written.
   */
  public Map<Long, Path> replicaFiles(int node) {
    return slots.get(node).replicas.dataFiles();
  }

  /** What the DataNode itself says it uses, checksums included; 0 while it is stopped. */
  public long dfsUsed(int node) throws IOException {
    Slot slot = slots.get(node);
    return slot.running() ? slot.dataNode.getFSDataset().getDfsUsed() : 0;
  }

  public long dfsUsed() throws IOException {
    long sum = 0;
    for (Slot slot : slots) {
      sum += dfsUsed(slot.node.index());
    }
    return sum;
  }

  /**
   * Length of all block and checksum files on the disk of the node: what {@link #dfsUsed} ought to
   * be.
   */
  public long bytesOnDisk(int node) {
    return slots.get(node).replicas.bytes();
  }

  /**
   * Lets each DataNode, also those that come later, send so many bytes of replicas per second to
   * its readers, all of them together.
   *
   * @param bytesPerSecond 0 for no limit
   */
  public void limitReads(long bytesPerSecond) throws IOException {
    cluster.getConfiguration(0).setLong(READ_LIMIT, bytesPerSecond);
    for (Slot slot : running()) {
      try {
        slot.dataNode.reconfigureProperty(READ_LIMIT, Long.toString(bytesPerSecond));
      } catch (ReconfigurationException e) {
        throw new IOException("%s does not take another %s".formatted(slot.node, READ_LIMIT), e);
      }
    }
  }

  /**
   * Bytes this DataNode has read from replicas and sent to readers since the cluster started,
   * restarts included. Counted when a read ends, which can be a moment after its reader has got the
   * last byte.
   */
  public long bytesRead(int node) {
    return slots.get(node).bytesRead();
  }

  public long bytesRead() {
    return slots.stream().mapToLong(Slot::bytesRead).sum();
  }

  /**
   * Bytes that all DataNodes have received for replicas since the cluster started, from clients and
   * from each other, restarts included.
   */
  public long bytesWritten() {
    return slots.stream().mapToLong(Slot::bytesWritten).sum();
  }

  /**
   * How often each method of the NameNode was called since it started, by name; without what
   * DataNodes call by themselves. Counted when a call ends.
   */
  public Map<String, Long> nameNodeCalls() {
    return NameNodeCounters.calls(cluster.getNameNode(activeNameNode));
  }

  public void triggerHeartbeats() throws IOException {
    for (Slot slot : running()) {
      DataNodeTestUtils.triggerHeartbeat(slot.dataNode);
    }
  }

  /**
   * Full reports; the NameNode has worked through them on return. A DataNode reports what it
   * believes, not what is on its disk.
   */
  public void triggerBlockReports() throws IOException {
    for (Slot slot : running()) {
      DataNodeTestUtils.triggerBlockReport(slot.dataNode);
    }
  }

  /**
   * The DataNode compares its disk with what it believes, as it does every six hours. Finds missing
   * files, not flipped bytes.
   */
  public void runDirectoryScanner(int node) throws IOException {
    DataNodeTestUtils.runDirectoryScanner(slots.get(node).dataNode);
  }

  private List<Slot> running() {
    return slots.stream().filter(Slot::running).toList();
  }

  /** Also removes the storage, unless its directory was given. */
  @Override
  public void close() throws IOException {
    try {
      fileSystem.close();
    } finally {
      cluster.shutdown();
      storage.close();
    }
  }

  /**
   * Defaults: 3 DataNodes on one rack, blocks of 1 MiB, heartbeats and replication checks each
   * second.
   */
  public static final class Builder {
    private int dataNodes = 3;
    private int racks = 1;
    private long blockSize = 1 << 20;
    private long nodeCapacity;
    private Duration heartbeat = HdfsSettings.HEARTBEAT;
    private Duration redundancyInterval = Duration.ofSeconds(1);
    private Duration staleAfter;
    private Duration deadAfter;
    private boolean blockTokens;
    private boolean nameNodePair;
    private int nameNodePort;
    private int nameNodeHttpPort;
    private Path directory;
    private boolean keepExisting;
    private final Map<String, String> settings = new LinkedHashMap<>();

    private Builder() {}

    public Builder dataNodes(int count) {
      dataNodes = count;
      return this;
    }

    /** Node i is in {@code /rack(i mod count)}. */
    public Builder racks(int count) {
      racks = count;
      return this;
    }

    /**
     * How much each node says it can hold, so that it is fuller or emptier than others by what it
     * stores. Default: the disk of this machine, the same for all.
     */
    public Builder nodeCapacity(long bytes) {
      nodeCapacity = bytes;
      return this;
    }

    public Builder blockSize(long bytes) {
      blockSize = bytes;
      return this;
    }

    /** Whole seconds. */
    public Builder heartbeat(Duration interval) {
      heartbeat = interval;
      return this;
    }

    /** How often the NameNode looks for work: replicas to copy, to delete. Whole seconds. */
    public Builder redundancyInterval(Duration interval) {
      redundancyInterval = interval;
      return this;
    }

    /** Default as in HDFS: 30 s. */
    public Builder staleAfter(Duration silence) {
      staleAfter = silence;
      return this;
    }

    /**
     * More than 10 heartbeats; default 10 minutes and 10 heartbeats. {@link
     * EmbeddedHdfs#declareDead} needs no waiting.
     */
    public Builder deadAfter(Duration silence) {
      deadAfter = silence;
      return this;
    }

    /** Block access tokens: off unless asked for. */
    public Builder withBlockTokens() {
      blockTokens = true;
      return this;
    }

    /** An active NameNode and a standby, see {@link EmbeddedHdfs#failOver}; on free ports. */
    public Builder withNameNodePair() {
      nameNodePair = true;
      return this;
    }

    /** 0: any free port. */
    public Builder nameNodePort(int port) {
      nameNodePort = port;
      return this;
    }

    /** 0: any free port. */
    public Builder nameNodeHttpPort(int port) {
      nameNodeHttpPort = port;
      return this;
    }

    /**
     * An empty or new directory, which stays after {@code close}; default a temporary one, which
     * does not.
     */
    public Builder directory(Path given) {
      directory = given;
      return this;
    }

    /**
     * The directory may hold the storage of an earlier cluster of as many DataNodes, which then
     * comes up with its files.
     */
    public Builder keepExisting() {
      keepExisting = true;
      return this;
    }

    /**
     * Any setting of {@code core-site.xml} or {@code hdfs-site.xml}; wins over everything above.
     */
    public Builder set(String key, String value) {
      settings.put(key, value);
      return this;
    }

    public EmbeddedHdfs start() throws IOException {
      if (dataNodes < 1 || racks < 1) {
        throw new IllegalArgumentException(
            "A cluster needs DataNodes and racks, but got %d and %d".formatted(dataNodes, racks));
      }
      Storage storage =
          directory == null ? Storage.temporary() : Storage.at(directory, keepExisting);
      try {
        return new EmbeddedHdfs(this, storage);
      } catch (IOException | RuntimeException e) {
        storage.close();
        throw e;
      }
    }
  }
}
