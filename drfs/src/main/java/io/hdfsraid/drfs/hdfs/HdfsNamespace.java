// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.FileVersion;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.QuotaRefusedException;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.namespace.StorageState;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode of a real HDFS. A file is read with all its blocks in one call, which touches no
 * access time, is not audited as an open and carries no block tokens.
 */
public final class HdfsNamespace implements Namespace {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsNamespace.class);

  /** A block takes 300 to 700 bytes, by its number of replicas. */
  private static final int LARGEST_ANSWER = 1 << 30;

  private static final int NO_POLICY = 0;
  private static final short ONE_REPLICA = 1;

  private final DFSClient client;
  private final CallPermits calls;
  private final Duration nodesMayBeOld;
  private final Fence fence;
  private volatile Optional<NodesThen<NodeState>> nodes = Optional.empty();
  private volatile Optional<NodesThen<UnresponsiveNode>> deadNodes = Optional.empty();
  private volatile Map<Integer, StoragePolicy> policies = Map.of();

  /** Creates a namespace without a rate limit and without a fence. */
  public HdfsNamespace(DistributedFileSystem fileSystem) {
    this(fileSystem, CallPermits.UNLIMITED, Duration.ZERO);
  }

  /** Creates a namespace with a rate limit and without a fence. */
  public HdfsNamespace(
      DistributedFileSystem fileSystem, CallPermits calls, Duration nodesMayBeOld) {
    this(fileSystem, calls, nodesMayBeOld, Fence.OPEN);
  }

  /**
   * Creates a namespace with a rate limit and a fence.
   *
   * @param calls asked before each call
   * @param nodesMayBeOld how long an answer about all DataNodes is cached: it is large, and its
   *     content is as old as the heartbeats anyway
   * @param fence checked before each change is sent
   */
  public HdfsNamespace(
      DistributedFileSystem fileSystem, CallPermits calls, Duration nodesMayBeOld, Fence fence) {
    this.client = fileSystem.getClient();
    this.calls = calls;
    this.nodesMayBeOld = nodesMayBeOld;
    this.fence = fence;
  }

  /**
   * Lets a client take the locations of more blocks at once than by default, some 200,000. There is
   * no other way to ask for them that is not audited as an open.
   */
  public static void allowLargeFiles(Configuration conf) {
    String limit = CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH;
    conf.setInt(limit, Math.max(LARGEST_ANSWER, conf.getInt(limit, 0)));
  }

  @Override
  public Optional<LocatedFile> file(String path) throws IOException {
    if (!new Path(path).isAbsolute()) {
      // fsck gives a bare name for a file that was renamed after a snapshot and then deleted.
      return Optional.empty();
    }
    calls.await(1);
    try {
      return look(path);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private Optional<LocatedFile> look(String path) throws IOException {
    boolean needBlockToken = false; // with tokens the NameNode audits an open
    HdfsLocatedFileStatus status = client.getLocatedFileInfo(path, needBlockToken);
    return status == null || !status.isFile()
        ? Optional.empty()
        : Optional.of(fileState(path, status));
  }

  @Override
  public Optional<LocatedFile> file(long inode) throws IOException {
    calls.await(1);
    return look(inode);
  }

  private Optional<LocatedFile> look(long inode) throws IOException {
    try {
      return InodePath.ask(inode, this::look).filter(file -> file.inode() == inode);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<FileVersion> version(String path) throws IOException {
    calls.await(1);
    try {
      return versionNow(path);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private Optional<FileVersion> versionNow(String path) throws IOException {
    return Optional.ofNullable(client.getFileInfo(path))
        .filter(HdfsFileStatus::isFile)
        .map(
            status ->
                new FileVersion(
                    status.getFileId(),
                    status.getLen(),
                    Instant.ofEpochMilli(status.getModificationTime())));
  }

  @Override
  public Optional<FileVersion> version(long inode) throws IOException {
    calls.await(1);
    try {
      return InodePath.ask(inode, this::versionNow).filter(version -> version.inode() == inode);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private static LocatedFile fileState(String path, HdfsLocatedFileStatus status) {
    LocatedBlocks located = status.getLocatedBlocks();
    List<LocatedBlock> blocks =
        located.getLocatedBlocks().stream().map(HadoopTypes::locatedBlock).toList();
    return new LocatedFile(
        path,
        status.getFileId(),
        status.getLen(),
        status.getBlockSize(),
        status.getReplication(),
        Instant.ofEpochMilli(status.getModificationTime()),
        Instant.ofEpochMilli(status.getAccessTime()),
        status.getOwner(),
        status.getGroup(),
        status.getPermission().toShort(),
        located.isUnderConstruction() || (!blocks.isEmpty() && !located.isLastBlockComplete()),
        status.isErasureCoded() || status.getErasureCodingPolicy() != null,
        status.isEncrypted() || status.getFileEncryptionInfo() != null,
        status.getStoragePolicy(),
        blocks);
  }

  @Override
  public void setReplication(long inode, int replication) throws IOException {
    calls.count(3); // the change, and one check before and after it
    LocatedFile before = look(inode).orElseThrow(() -> new InodeGoneException(inode));
    if (replication < before.replication()) {
      fence.recheck();
    } else {
      fence.recheckForRaise();
    }
    try {
      if (!client.setReplication(InodePath.of(inode), (short) replication)) {
        throw new InodeGoneException(inode);
      }
    } catch (QuotaExceededException e) {
      throw new QuotaRefusedException(String.valueOf(e.getMessage()), e);
    } catch (IOException | RuntimeException e) {
      // A lost answer does not mean that nothing was set.
      try {
        requireStill(inode, before, replication);
      } catch (IOException other) {
        e.addSuppressed(other);
      }
      throw e;
    }
    requireStill(inode, before, replication);
  }

  @Override
  public boolean undoReduction(long inode, int lowered, int former) throws IOException {
    calls.count(3); // the change, and one check before and after it
    Optional<LocatedFile> before = look(inode).filter(file -> file.replication() == lowered);
    if (before.isEmpty() || !client.setReplication(InodePath.of(inode), (short) former)) {
      return false;
    }
    requireStill(inode, before.get(), former);
    return true;
  }

  /**
   * Checks that the inode path still resolves to this file. Another file can take that path between
   * two calls.
   */
  private void requireStill(long inode, LocatedFile before, int replication) throws IOException {
    HdfsFileStatus after = statusNow(inode).orElseThrow(() -> new InodeGoneException(inode));
    if (after.getFileId() != inode) {
      giveBack(after, before.replication(), replication);
      throw new InodeGoneException(inode);
    }
  }

  private Optional<HdfsFileStatus> statusNow(long inode) throws IOException {
    try {
      return Optional.ofNullable(InodePath.ask(inode, client::getFileInfo));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * Restores the replication of another file that was changed by mistake. Its former value is not
   * known, so it is raised to the usual value, which does no harm. Not even a daemon that was
   * deposed since then may leave it lowered, so no fence is checked.
   */
  private void giveBack(HdfsFileStatus other, int before, int set) throws IOException {
    int usual = Math.max(before, client.getServerDefaults().getReplication());
    if (other.isFile() && other.getReplication() == set && set < usual) {
      LOG.warn(
          "The file with inode id {} took the place of another one while that one's replication was set; its own is raised to {} again",
          other.getFileId(),
          usual);
      if (!client.setReplication(InodePath.of(other.getFileId()), (short) usual)) {
        throw new IOException(
            "The replication of the file with inode id %d was set to %d by mistake and could not be raised to %d again: raise it by hand"
                .formatted(other.getFileId(), set, usual));
      }
    }
  }

  /** Policies are fetched once, because HDFS has a fixed set of them. */
  @Override
  public StoragePolicy storagePolicy(int id) throws IOException {
    if (id == NO_POLICY || id == HdfsConstants.HOT_STORAGE_POLICY_ID) {
      return StoragePolicy.UNSPECIFIED;
    }
    if (policies.isEmpty()) {
      Map<Integer, StoragePolicy> known = new HashMap<>();
      for (BlockStoragePolicy policy : client.getStoragePolicies()) {
        known.put((int) policy.getId(), policy(policy));
      }
      policies = Map.copyOf(known);
    }
    return policies.getOrDefault(id, StoragePolicy.UNSPECIFIED);
  }

  private static StoragePolicy policy(BlockStoragePolicy policy) {
    Set<String> media = new LinkedHashSet<>();
    policy.chooseStorageTypes(ONE_REPLICA).forEach(type -> media.add(type.name()));
    for (StorageType fallback : policy.getCreationFallbacks()) {
      media.add(fallback.name());
    }
    return new StoragePolicy(policy.getName(), List.copyOf(media));
  }

  /** The DataNodes at a time of {@link System#nanoTime}. */
  private record NodesThen<T>(long nanos, List<T> states) {
    boolean isOlderThan(Duration age) {
      return System.nanoTime() - nanos >= age.toNanos();
    }
  }

  @Override
  public List<NodeState> nodes() throws IOException {
    Optional<NodesThen<NodeState>> known = nodes;
    if (known.isPresent() && !known.get().isOlderThan(nodesMayBeOld)) {
      return known.get().states();
    }
    calls.await(1);
    long asked = System.nanoTime();
    List<NodeState> states =
        Arrays.stream(client.getDatanodeStorageReport(DatanodeReportType.LIVE))
            .map(HdfsNamespace::nodeState)
            .toList();
    nodes = Optional.of(new NodesThen<>(asked, states));
    return states;
  }

  @Override
  public List<UnresponsiveNode> deadNodes() throws IOException {
    Optional<NodesThen<UnresponsiveNode>> known = deadNodes;
    if (known.isPresent() && !known.get().isOlderThan(nodesMayBeOld)) {
      return known.get().states();
    }
    calls.await(1);
    long asked = System.nanoTime();
    List<UnresponsiveNode> states =
        Arrays.stream(client.datanodeReport(DatanodeReportType.DEAD))
            .map(HdfsNamespace::unresponsiveNode)
            .toList();
    deadNodes = Optional.of(new NodesThen<>(asked, states));
    return states;
  }

  /** Compares the heartbeats with the latest one, so that no other clock is involved. */
  @Override
  public List<UnresponsiveNode> staleNodes(Duration silence) throws IOException {
    calls.await(1);
    DatanodeInfo[] live = client.datanodeReport(DatanodeReportType.LIVE);
    long latest = Arrays.stream(live).mapToLong(DatanodeInfo::getLastUpdate).max().orElse(0);
    return Arrays.stream(live)
        .filter(node -> latest - node.getLastUpdate() >= silence.toMillis())
        .map(HdfsNamespace::unresponsiveNode)
        .toList();
  }

  private static UnresponsiveNode unresponsiveNode(DatanodeInfo node) {
    return new UnresponsiveNode(
        HadoopTypes.dataNode(node), node.isInService(), Instant.ofEpochMilli(node.getLastUpdate()));
  }

  private static NodeState nodeState(DatanodeStorageReport report) {
    DatanodeInfo node = report.getDatanodeInfo();
    return new NodeState(
        HadoopTypes.dataNode(node),
        node.isInService(),
        node.getRemaining(),
        node.getDfsUsed(),
        Arrays.stream(report.getStorageReports())
            .filter(storage -> !storage.isFailed())
            .map(
                storage ->
                    new StorageState(
                        storage.getStorage().getStorageID(),
                        storage.getStorage().getStorageType().name(),
                        storage.getRemaining(),
                        storage.getDfsUsed()))
            .toList());
  }
}
