// SPDX-License-Identifier: Apache-2.0
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
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
 * An HDFS in this process: one NameNode or a pair, and any number of DataNodes on several racks,
 * which talk over real sockets. DataNodes are numbered from 0. A stopped DataNode keeps its number,
 * its storage and its port. Damage to a replica changes its files on disk; neither the NameNode nor
 * the DataNode is told.
 *
 * <p>Only one thread at a time may change the cluster.
 *
 * <p>Every HTTP server of HDFS looks for {@code webapps/<name>} on the class path and unpacks the
 * whole jar that it is found in. This module has such directories, empty, and must stand before the
 * jar of the mini cluster (56 MB): the start is then several times faster.
 */
public final class EmbeddedHdfs implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /**
   * A NameNode that starts may silently drop a block report whose lease another NameNode has given.
   * The DataNode would send the next report six hours later.
   */
  private static final Duration REPORT_PATIENCE = Duration.ofSeconds(10);

  /** After that the NameNode itself ends a lease, as by default. */
  private static final Duration HARD_LIMIT = Duration.ofMinutes(20);

  /** How soon the NameNode counts a call that it has answered. */
  private static final Duration COUNTED_WITHIN = Duration.ofMillis(200);

  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");

  private final MiniDFSCluster cluster;
  private final Storage storage;
  private final Configuration configuration;
  private final DistributedFileSystem fileSystem;
  private final List<DataNodeSlot> slots = new ArrayList<>();
  private final int racks;
  private final long nodeCapacity;
  private int activeNameNode;

  private EmbeddedHdfs(Builder builder, Storage storage) throws IOException {
    this.storage = storage;
    requireMiniClusterFirst();
    Configuration conf = new HdfsConfiguration();
    builder.configure(conf, builder.heartbeat);
    conf.setLong(
        "dfs.namenode.redundancy.interval.seconds", builder.redundancyInterval.toSeconds());
    builder.override(conf);
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
      ClusterSettings.severalNameNodes(conf);
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
        ClusterSettings.clientOfSeveral(
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
    slots.add(new DataNodeSlot(node, dataNode, new Replicas(List.of(storageOfNode))));
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

  /** Returns the URI of the NameNode, or the nameservice of a pair. */
  public URI uri() {
    return FileSystem.getDefaultUri(configuration);
  }

  /**
   * Returns the HTTP address of the active NameNode, for {@code /fsck}, {@code /jmx} and others.
   */
  public URI httpUri() {
    return httpUri(activeNameNode);
  }

  private URI httpUri(int nameNode) {
    return URI.create(
        "http://127.0.0.1:" + cluster.getNameNode(nameNode).getHttpAddress().getPort());
  }

  /** Returns the directory with everything that the cluster stores. */
  public Path directory() {
    return storage.directory();
  }

  /** Returns all DataNodes by index, running or not. */
  public List<EmbeddedNode> dataNodes() {
    return slots.stream().map(slot -> slot.node).toList();
  }

  /**
   * Returns the DataNode at this address.
   *
   * @throws IllegalArgumentException if there is none
   */
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
   * Stops a DataNode. The NameNode takes it for alive until the dead interval has passed without a
   * heartbeat, or until {@link #declareDead}.
   */
  public void stopDataNode(int node) {
    slots.get(node).stop(cluster);
  }

  /** Restarts a DataNode with its port and its replicas, and waits for its block report. */
  public void restartDataNode(int node) throws IOException {
    DataNodeSlot slot = slots.get(node);
    if (slot.running()) {
      throw new IllegalStateException("DataNode %d is running".formatted(node));
    }
    restartOnSamePort(slot);
    waitActive();
  }

  /** Retries while a connection of another process uses the port. */
  private void restartOnSamePort(DataNodeSlot slot) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        slot.restart(cluster);
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

  /** Puts a node into maintenance: the NameNode copies its replicas only as far as configured. */
  public void startMaintenance(int node) {
    nodesOfNameNode().getDatanodeAdminManager().startMaintenance(descriptor(node), Long.MAX_VALUE);
  }

  /** Puts a node back in service after maintenance or decommissioning. */
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

  /** Makes the NameNode take a stopped node for dead, without waiting for the dead interval. */
  public void declareDead(int node) throws IOException {
    DataNodeSlot slot = slots.get(node);
    if (slot.running()) {
      throw new IllegalStateException(
          "DataNode %d is running: its next heartbeat would revive it".formatted(node));
    }
    DatanodeDescriptor known = nodesOfNameNode().getDatanode(slot.node.uuid());
    // A NameNode restarted since has never heard of it. A heartbeat that was on its way when the
    // DataNode stopped may revive it once.
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (known != null && known.isAlive()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "The NameNode does not take DataNode %d for dead".formatted(node));
      }
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
   * Makes the standby of a pair an observer, which answers reads and applies changes only in {@link
   * #observerCatchesUp}. Needs {@code dfs.ha.tail-edits.in-progress=true}.
   */
  public void standbyObserves() throws IOException {
    requirePair();
    cluster.transitionToObserver(1 - activeNameNode);
    cluster.getNamesystem(1 - activeNameNode).getEditLogTailer().stop();
  }

  /** Makes the observer apply all edits so far. May be called from any thread. */
  public synchronized void observerCatchesUp() throws IOException {
    try {
      cluster.getNamesystem(1 - activeNameNode).getEditLogTailer().doTailEdits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the observer caught up");
    }
  }

  /**
   * Fails over to the standby of a pair. As in production the new active NameNode does not delete
   * excess replicas before it has a full block report of their nodes ({@link
   * #triggerBlockReports}).
   */
  public void failOver() throws IOException {
    requirePair();
    cluster.transitionToStandby(activeNameNode);
    activeNameNode = 1 - activeNameNode;
    cluster.transitionToActive(activeNameNode);
    waitActive();
  }

  /**
   * Has all NameNodes show a setting at {@code /conf} from now on, or show it no longer. They do
   * not follow it: what a setting does begins with a restart.
   */
  public void showNameNodeSetting(String key, Optional<String> value) {
    for (int i = 0; i < cluster.getNumNameNodes(); i++) {
      Configuration conf = cluster.getConfiguration(i);
      value.ifPresentOrElse(shown -> conf.set(key, shown), () -> conf.unset(key));
    }
  }

  /**
   * Limits how long block tokens are valid that are made from now on, by the NameNode or by who
   * asks it for its keys from now on.
   */
  public void expireBlockTokensAfter(Duration lifetime) {
    namesystem()
        .getBlockManager()
        .getBlockTokenSecretManager()
        .setTokenLifetime(lifetime.toMillis());
  }

  /**
   * Sets after how long without a renewal another client may have a lease. Clients renew theirs
   * every half minute, whatever is set here.
   */
  public void expireLeasesAfter(Duration soft) {
    cluster.setLeasePeriod(soft.toMillis(), HARD_LIMIT.toMillis());
  }

  private void requirePair() {
    if (cluster.getNumNameNodes() != 2) {
      throw new IllegalStateException("There is one NameNode: build the cluster with a pair");
    }
  }

  /** Stops the standby of a pair for good. */
  public void stopStandby() {
    requirePair();
    cluster.shutdownNameNode(1 - activeNameNode);
  }

  /** The clients of a process share a connection. The first call after it broke fails here. */
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
              .filter(slot -> slot.running() && !slot.reportedTo(nodesOfNameNode()))
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
        for (DataNodeSlot slot : running()) {
          slot.sendBlockReport();
        }
      }
      Pause.of(Duration.ofMillis(20));
    }
  }

  private DatanodeManager nodesOfNameNode() {
    return namesystem().getBlockManager().getDatanodeManager();
  }

  private FSNamesystem namesystem() {
    return cluster.getNamesystem(activeNameNode);
  }

  /** Returns whether any file, live or in a snapshot, holds the block. */
  public boolean knowsBlock(long blockId) {
    return namesystem().getBlockManager().getStoredBlock(new Block(blockId)) != null;
  }

  /**
   * Returns the number of live replicas that the NameNode will keep: without excess replicas and
   * without those on nodes that are leaving. Returns 0 for a block of no file.
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

  /**
   * Gives the replica the bytes of another block of the same length, with checksums that fit them.
   * Only a copy of the checksums that lies elsewhere can tell.
   */
  public void forgeReplica(long blockId, int node, long otherBlockId, int otherNode)
      throws IOException {
    dataFile(blockId, node);
    dataFile(otherBlockId, otherNode);
    slots.get(node).replicas.overwrite(blockId, slots.get(otherNode).replicas.files(otherBlockId));
  }

  /**
   * Removes the replica's data and its checksums. Not for a replica that the DataNode is about to
   * delete itself: it would find no file and not tell the NameNode that the replica is gone.
   */
  public void deleteReplica(long blockId, int node) throws IOException {
    dataFile(blockId, node);
    slots.get(node).replicas.delete(blockId);
  }

  /** Returns the file with the bytes of the replica. */
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

  /** Returns the nodes, running or not, that hold a data file of the block, sound or not. */
  public List<EmbeddedNode> replicasOnDisk(long blockId) {
    return slots.stream()
        .filter(slot -> slot.replicas.dataFile(blockId).isPresent())
        .map(slot -> slot.node)
        .toList();
  }

  /**
   * Returns the data files on the disk of the node by block id, sound or not, finished or still
   * being written. The node need not run.
   */
  public Map<Long, Path> replicaFiles(int node) {
    return slots.get(node).replicas.dataFiles();
  }

  /** Returns the bytes that the DataNode reports as used, with checksums; 0 while it is stopped. */
  public long dfsUsed(int node) throws IOException {
    return slots.get(node).dfsUsed();
  }

  public long dfsUsed() throws IOException {
    long sum = 0;
    for (DataNodeSlot slot : slots) {
      sum += slot.dfsUsed();
    }
    return sum;
  }

  /**
   * Returns the length of all block and checksum files on the disk of the node, which {@link
   * #dfsUsed} should be equal to.
   */
  public long bytesOnDisk(int node) {
    return slots.get(node).replicas.bytes();
  }

  /**
   * Limits the bytes that each DataNode, also one that is added later, sends to all its readers per
   * second.
   *
   * @param bytesPerSecond 0 for no limit
   */
  public void limitReads(long bytesPerSecond) throws IOException {
    cluster.getConfiguration(0).setLong(DataNodeSlot.READ_LIMIT, bytesPerSecond);
    for (DataNodeSlot slot : running()) {
      slot.limitReads(bytesPerSecond);
    }
  }

  /**
   * Limits the running DataNodes as {@link #limitReads(long)} does, but gives out the bytes in
   * shorter steps. HDFS gives each DataNode half a second's bytes at once, which may be more than a
   * small block.
   */
  public void limitReads(long bytesPerSecond, Duration step) throws IOException {
    for (DataNodeSlot slot : running()) {
      slot.limitReads(bytesPerSecond, step);
    }
  }

  /**
   * Returns the bytes that this DataNode has read from replicas and sent to readers since the
   * cluster started, restarts included. A DataNode counts a read when it ends, which can be a
   * moment after the reader has received the last byte.
   */
  public long bytesRead(int node) {
    return slots.get(node).bytesRead();
  }

  public long bytesRead() {
    return slots.stream().mapToLong(DataNodeSlot::bytesRead).sum();
  }

  /**
   * Returns the number of connections that clients and other DataNodes have to the running
   * DataNodes. Idle ones count too, until {@code dfs.datanode.socket.reuse.keepalive} has passed.
   */
  public int openConnections() {
    return slots.stream().mapToInt(DataNodeSlot::openConnections).sum();
  }

  /**
   * Returns the bytes that all DataNodes have received for replicas since the cluster started, from
   * clients and from each other, restarts included.
   */
  public long bytesWritten() {
    return slots.stream().mapToLong(DataNodeSlot::bytesWritten).sum();
  }

  /**
   * Returns the number of calls of each method of the NameNode since it started, without the calls
   * of DataNodes. A call is counted a moment after it has been answered.
   */
  public Map<String, Long> nameNodeCalls() {
    return NameNodeCounters.calls(cluster.getNameNode(activeNameNode));
  }

  /**
   * Waits until the counts of {@link #nameNodeCalls()} stand still, and returns them. Does not
   * return while somebody keeps on calling.
   */
  public Map<String, Long> settledNameNodeCalls() throws InterruptedIOException {
    Map<String, Long> before;
    Map<String, Long> now = nameNodeCalls();
    do {
      before = now;
      Pause.of(COUNTED_WITHIN);
      now = nameNodeCalls();
    } while (!now.equals(before));
    return now;
  }

  public void triggerHeartbeats() throws IOException {
    for (DataNodeSlot slot : running()) {
      DataNodeTestUtils.triggerHeartbeat(slot.dataNode());
    }
  }

  /**
   * Makes all DataNodes send full block reports, and waits until the NameNode has processed them. A
   * DataNode reports the replicas in its memory, not those on its disk.
   *
   * <p>Each sends a heartbeat first: after a failover a NameNode believes the report of a storage
   * only if it has heard a heartbeat since ({@code DatanodeStorageInfo#receivedBlockReport}).
   */
  public void triggerBlockReports() throws IOException {
    for (DataNodeSlot slot : running()) {
      DataNodeTestUtils.triggerHeartbeat(slot.dataNode());
      DataNodeTestUtils.triggerBlockReport(slot.dataNode());
    }
  }

  /**
   * Runs the directory scanner of a DataNode, which compares its disk with its memory. It finds
   * missing files, not flipped bytes.
   */
  public void runDirectoryScanner(int node) throws IOException {
    DataNodeTestUtils.runDirectoryScanner(slots.get(node).dataNode());
  }

  private List<DataNodeSlot> running() {
    return slots.stream().filter(DataNodeSlot::running).toList();
  }

  /** Stops the cluster and removes its storage, unless the caller has given the directory. */
  @Override
  public void close() throws IOException {
    try {
      fileSystem.close();
    } finally {
      cluster.shutdown();
      storage.close();
    }
  }

  /** The options of the cluster. */
  public static final class Builder extends HdfsBuilder<Builder> {
    private long nodeCapacity;
    private Duration heartbeat = ClusterSettings.HEARTBEAT;
    private Duration redundancyInterval = Duration.ofSeconds(1);
    private boolean nameNodePair;
    private int nameNodePort;
    private int nameNodeHttpPort;
    private boolean keepExisting;

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /**
     * Sets the capacity that each DataNode reports, so that nodes fill up. The default is the disk
     * of this machine, the same for all.
     */
    public Builder nodeCapacity(long bytes) {
      nodeCapacity = bytes;
      return this;
    }

    /** Sets the heartbeat interval, in whole seconds. */
    public Builder heartbeat(Duration interval) {
      heartbeat = interval;
      return this;
    }

    /** Sets how often the NameNode looks for replicas to copy or delete, in whole seconds. */
    public Builder redundancyInterval(Duration interval) {
      redundancyInterval = interval;
      return this;
    }

    /**
     * Starts an active NameNode and a standby, on free ports, see {@link EmbeddedHdfs#failOver}.
     */
    public Builder withNameNodePair() {
      nameNodePair = true;
      return this;
    }

    /** Sets the RPC port of the NameNode; 0 means any free port. */
    public Builder nameNodePort(int port) {
      nameNodePort = port;
      return this;
    }

    /** Sets the HTTP port of the NameNode; 0 means any free port. */
    public Builder nameNodeHttpPort(int port) {
      nameNodeHttpPort = port;
      return this;
    }

    /**
     * Allows a directory with the storage of an earlier cluster of as many DataNodes; the new
     * cluster starts with its files.
     */
    public Builder keepExisting() {
      keepExisting = true;
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
