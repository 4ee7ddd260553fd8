// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.blockfixer.detect.CorruptFileList;
import io.hdfsraid.blockfixer.detect.DetachedBlocks;
import io.hdfsraid.blockfixer.hdfs.BlockKeyTokens;
import io.hdfsraid.blockfixer.hdfs.HdfsBlockDelivery;
import io.hdfsraid.blockfixer.hdfs.HdfsBlockMover;
import io.hdfsraid.blockfixer.hdfs.HdfsCorruptFileList;
import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.hdfs.HdfsBadReplicaReports;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.HdfsParityStore;
import io.hdfsraid.drfs.hdfs.ObserverNameNodes;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.UnconfirmedOwnershipException;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.mode.DecisionStore;
import io.hdfsraid.raidnode.raiding.core.BlockReports;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FileMarks;
import io.hdfsraid.raidnode.raiding.core.Spaces;
import io.hdfsraid.raidnode.reheat.ReadLocality;
import io.hdfsraid.raidnode.reheat.ReplicaLocality;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import io.hdfsraid.recency.NamespaceSources;
import io.hdfsraid.recency.hdfs.HdfsNamespaceSources;
import io.hdfsraid.recency.hdfs.NamespaceListing;
import io.hdfsraid.yarn.job.ContainerSettings;
import io.hdfsraid.yarn.job.StripeJobs;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to one HDFS as its one writer, with everything that the daemon needs of it. The
 * connection holds the owner file while it is open, unless it was made to look only.
 */
public final class HdfsCluster implements Cluster, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsCluster.class);
  private static final int KEPT_CONNECTIONS = 256;

  /** The heartbeat interval of DataNodes: the NameNode knows nothing younger about them. */
  private static final Duration NODES_MAY_BE_OLD = Duration.ofSeconds(3);

  private final DistributedFileSystem fs;
  private final HdfsParityStore parity;

  /** Empty when it only looks. */
  private final Optional<OwnerFile> owner;

  private final BlockKeyTokens tokens;
  private final ClusterAccess access;
  private final BlockDelivery delivery;
  private final BlockMover mover;
  private final BadReplicaReports badReplicas;
  private final CorruptFileList losses;
  private final DetachedBlocks detached;
  private final DecisionStore decisions;
  private final HdfsAuditFiles audit;
  private final FileMarks marks;
  private final NamespaceListing listing;
  private final NameNodeCalls calls;
  private final NamespaceSources sources;
  private final ReadLocality readLocality;
  private final String user;
  private final ExternalAuthorizer authorizer;
  private final String root;
  private volatile Map<ContainerJobs.Kind, ContainerJobs> containers = Map.of();

  private HdfsCluster(
      DistributedFileSystem fs,
      HdfsParityStore parity,
      Optional<OwnerFile> owner,
      BlockKeyTokens tokens,
      ExternalAuthorizer authorizer,
      Configuration conf,
      String root,
      Clock clock,
      NameNodeCalls calls)
      throws IOException {
    this.fs = fs;
    this.user = UserGroupInformation.getCurrentUser().getShortUserName();
    this.root = root;
    this.calls = calls;
    this.parity = parity;
    this.owner = owner;
    this.tokens = tokens;
    this.authorizer = authorizer;
    String pool = tokens.blockPool();
    Fence fence = owner.<Fence>map(own -> own).orElse(HdfsCluster::refuseChange);
    owner.ifPresent(parity::fencedBy);
    HdfsNamespace namespace = new HdfsNamespace(fs, calls, NODES_MAY_BE_OLD, fence);
    this.badReplicas = new HdfsBadReplicaReports(fs, pool);
    this.access =
        new ClusterAccess(
            tokens.clusterId(),
            pool,
            namespace,
            new HdfsDataNodes(fs, pool, tokens),
            parity,
            new FsckBlockHolders(fs, conf, calls),
            badReplicas,
            fence);
    this.delivery = new HdfsBlockDelivery(fs, pool, tokens);
    this.mover = new HdfsBlockMover(fs, pool, tokens);
    this.losses = new HdfsCorruptFileList(fs, calls);
    this.detached = new HdfsDetachedBlocks(fs, namespace, access.holders());
    this.decisions = new HdfsDecisions(fs, root, fence);
    this.audit = new HdfsAuditFiles(fs, root, fence);
    this.marks = new HdfsFileMarks(fs, fence);
    this.listing = new NamespaceListing(fs, root, clock, calls::await);
    this.sources =
        new HdfsNamespaceSources(fs, conf, listing, () -> OwnerFile.leaveTrace(fs, root));
    this.readLocality = new ReplicaLocality(namespace, clock);
  }

  /**
   * Connects, prepares the root and becomes the one writer.
   *
   * @param conf with the cluster's {@code core-site.xml} and {@code hdfs-site.xml}
   * @throws io.hdfsraid.drfs.parity.RefusedException when the root cannot be used or another daemon
   *     holds it
   * @throws IOException when the NameNode does not answer or the user is not its superuser
   */
  public static HdfsCluster connect(
      URI hdfs, Configuration conf, ParitySettings settings, Clock clock) throws IOException {
    return connect(hdfs, conf, settings, clock, Role.WRITER);
  }

  /**
   * Connects to look and to plan only, also beside a daemon: prepares nothing, takes no ownership,
   * and has a fence that nothing passes.
   *
   * @param conf with the cluster's {@code core-site.xml} and {@code hdfs-site.xml}
   * @throws IOException when the NameNode does not answer or the user is not its superuser
   */
  public static HdfsCluster look(URI hdfs, Configuration conf, ParitySettings settings, Clock clock)
      throws IOException {
    return connect(hdfs, conf, settings, clock, Role.ONLOOKER);
  }

  private enum Role {
    WRITER,
    ONLOOKER
  }

  private static void refuseChange() throws RefusedException {
    throw new RefusedException("This process only looks and plans, so it must not change anything");
  }

  private static HdfsCluster connect(
      URI hdfs, Configuration conf, ParitySettings settings, Clock clock, Role role)
      throws IOException {
    FavoredNodesFilter.add();
    Configuration plain = new Configuration(conf);
    // The daemon reads blocks one by one and must not run through its own degraded-read file
    // system.
    plain.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    // Hadoop's own shutdown hook would close it under the jobs; the daemon ends them first.
    plain.setBoolean("fs.automatic.close", false);
    // Nearly all it reads decides something, and an observer may not have heard of a change yet.
    new ObserverNameNodes(hdfs, conf).bypass(plain);
    keepConnections(plain);
    HdfsNamespace.allowLargeFiles(plain);
    NameNodeAddress address = new NameNodeAddress(hdfs, plain);
    address.requireAnswer();
    FileSystem opened = FileSystem.newInstance(hdfs, plain);
    if (!(opened instanceof DistributedFileSystem fs)) {
      opened.close();
      throw new IOException(
          "%s is not an HDFS: is HADOOP_CONF_DIR set, and is fs.defaultFS in its core-site.xml an hdfs:// URI?"
              .formatted(hdfs));
    }
    BlockKeyTokens tokens = null;
    HdfsParityStore parity = null;
    OwnerFile owner = null;
    NameNodeCalls calls = new NameNodeCalls();
    try {
      refuse(address.problem(fs.getClient().getNamenode()));
      tokens = tokens(fs.getUri(), plain, clock);
      parity =
          HdfsParityStore.open(
              fs.getUri(), plain, settings, tokens.clusterId(), tokens.blockPool(), calls);
      ExternalAuthorizer authorizer = new ExternalAuthorizer(fs, settings.access(), clock);
      parity.readableBy(authorizer);
      if (role == Role.WRITER) {
        owner = OwnerFile.acquire(fs, settings.root(), parity::prepare);
      }
      HdfsCluster cluster =
          new HdfsCluster(
              fs,
              parity,
              Optional.ofNullable(owner),
              tokens,
              authorizer,
              plain,
              settings.root(),
              clock,
              calls);
      if (role == Role.WRITER) {
        removeDraftsOfOthers(parity);
      }
      return cluster;
    } catch (IOException | RuntimeException e) {
      closeQuietly(owner, e);
      closeQuietly(parity, e);
      closeQuietly(tokens, e);
      closeQuietly(fs, e);
      throw e;
    }
  }

  /** Removes drafts if it can: the daily clean-up tries it again. */
  private static void removeDraftsOfOthers(HdfsParityStore parity) throws IOException {
    try {
      int removed = parity.removeDeadDrafts();
      if (removed > 0) {
        LOG.info("Removed {} drafts of parity that an earlier process has left", removed);
      }
    } catch (DeposedException | UnconfirmedOwnershipException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("Drafts of parity that an earlier process has left could not be removed", e);
    }
  }

  /**
   * Of a code that reads some chunks of each row, a helper is asked again for every row. HDFS keeps
   * 16 connections, which are fewer than a few repairs read from at once.
   */
  private static void keepConnections(Configuration conf) {
    // Its own, for the first client of a process decides for all that share a context.
    conf.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, "hdfs-raid");
    String capacity = HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY;
    conf.setInt(capacity, Math.max(KEPT_CONNECTIONS, conf.getInt(capacity, 0)));
  }

  private static BlockKeyTokens tokens(URI hdfs, Configuration conf, Clock clock)
      throws IOException {
    try {
      return BlockKeyTokens.connect(hdfs, conf, clock);
    } catch (RemoteException e) {
      IOException refusal = e.unwrapRemoteException(AccessControlException.class);
      if (refusal instanceof AccessControlException) {
        throw new RefusedException(
            "User %s is no superuser of %s, as the daemon must be to get the keys of blocks and to read any file. Run it as the user of the NameNode, or add its user to the group that dfs.permissions.superusergroup names. (%s)"
                .formatted(
                    UserGroupInformation.getCurrentUser().getShortUserName(),
                    hdfs,
                    firstLine(refusal)));
      }
      throw e;
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName());
  }

  /**
   * Connects to the HDFS that the configuration files on the class path name.
   *
   * @param nameservice which of several; empty for the default one
   */
  public static HdfsCluster connectConfigured(
      Optional<String> nameservice, ParitySettings settings, Clock clock) throws IOException {
    return configured(nameservice, settings, clock, Role.WRITER);
  }

  /** Connects to the same HDFS as {@link #connectConfigured}, to look only. */
  public static HdfsCluster lookConfigured(
      Optional<String> nameservice, ParitySettings settings, Clock clock) throws IOException {
    return configured(nameservice, settings, clock, Role.ONLOOKER);
  }

  private static HdfsCluster configured(
      Optional<String> nameservice, ParitySettings settings, Clock clock, Role role)
      throws IOException {
    Configuration conf = Nameservices.configuration(nameservice);
    URI hdfs = FileSystem.getDefaultUri(conf);
    refuse(new NameNodeAddress(hdfs, conf).problem());
    return connect(hdfs, conf, settings, clock, role);
  }

  private static void refuse(Optional<String> problem) throws RefusedException {
    if (problem.isPresent()) {
      throw new RefusedException(problem.get());
    }
  }

  /**
   * The same connections, with another view of the cluster between them and the pipelines: to watch
   * what passes. Closed with the cluster it was made of, once.
   */
  public HdfsCluster seenAs(UnaryOperator<ClusterAccess> view) {
    return new HdfsCluster(this, view.apply(access));
  }

  private HdfsCluster(HdfsCluster other, ClusterAccess access) {
    this.fs = other.fs;
    this.parity = other.parity;
    this.owner = other.owner;
    this.tokens = other.tokens;
    this.badReplicas = other.badReplicas;
    this.access = access;
    this.delivery = other.delivery;
    this.mover = other.mover;
    this.losses = other.losses;
    this.detached = other.detached;
    this.decisions = other.decisions;
    this.audit = other.audit;
    this.marks = other.marks;
    this.listing = other.listing;
    this.calls = other.calls;
    this.sources = other.sources;
    this.readLocality = other.readLocality;
    this.user = other.user;
    this.authorizer = other.authorizer;
    this.root = other.root;
    this.containers = other.containers;
  }

  private static void closeQuietly(Closeable resource, Exception because) {
    if (resource != null) {
      try {
        resource.close();
      } catch (IOException e) {
        because.addSuppressed(e);
      }
    }
  }

  @Override
  public ClusterAccess access() {
    return access;
  }

  @Override
  public BlockDelivery delivery() {
    return delivery;
  }

  @Override
  public BlockMover mover() {
    return mover;
  }

  @Override
  public BadReplicaReports badReplicas() {
    return badReplicas;
  }

  @Override
  public CorruptFileList losses() {
    return losses;
  }

  @Override
  public DetachedBlocks detached() {
    return detached;
  }

  @Override
  public NamespaceListing listing() {
    return listing;
  }

  @Override
  public Spaces spaces() {
    return new HdfsSpaces(fs);
  }

  @Override
  public NamespaceSources sources() {
    return sources;
  }

  @Override
  public BlockReports blockReports() {
    return new HdfsBlockReports(fs, fs.getConf());
  }

  @Override
  public ReadLocality readLocality() {
    return readLocality;
  }

  @Override
  public NameNodeCalls calls() {
    return calls;
  }

  @Override
  public Optional<ContainerJobs> containers(ContainerJobs.Kind kind) {
    return Optional.ofNullable(containers.get(kind));
  }

  /**
   * Encodes and repairs in containers of the YARN that the Hadoop configuration names.
   *
   * @throws IOException if the user of this process is not known
   */
  public void workInContainers(ContainerSettings settings, ContainerJobs.Limits limits)
      throws IOException {
    Map<ContainerJobs.Kind, ContainerJobs> all = new EnumMap<>(ContainerJobs.Kind.class);
    for (ContainerJobs.Kind kind : ContainerJobs.Kind.values()) {
      StripeJobs jobs =
          new StripeJobs(
              fs.getConf(),
              access.blockPool(),
              kind == ContainerJobs.Kind.REPAIR ? settings.sooner() : settings,
              limits.patience());
      String tag = "hdfs-raid:%s:%s:%s".formatted(access.blockPool(), root, kind);
      all.put(kind, new HdfsContainerJobs(kind, jobs, access, tokens, tag, limits));
    }
    workIn(all);
  }

  /** Works in these containers. */
  public void workIn(Map<ContainerJobs.Kind, ContainerJobs> jobs) {
    containers = Map.copyOf(jobs);
  }

  /** Returns what asks whether the NameNode is well. The caller closes it. */
  public NameNodeProbe probe() throws IOException {
    return new NameNodeProbe(fs.getUri(), fs.getConf());
  }

  /** Returns what asks who may list directories. The caller closes it. */
  public NameNodePermissions permissions() throws IOException {
    return new NameNodePermissions(fs, authorizer, calls);
  }

  /**
   * Follows what clients of routers see of this nameservice. The caller closes it.
   *
   * @param routers their web addresses
   */
  public RouterMounts mounts(List<URI> routers) {
    return RouterMounts.follow(routers, uri().toString(), access.blockPool(), fs.getConf());
  }

  /** As whom HDFS knows this process. */
  public String user() {
    return user;
  }

  /** Returns host and port of each NameNode of the nameservice, as configured. */
  public List<String> nameNodes() {
    if (!HAUtilClient.isLogicalUri(fs.getConf(), uri())) {
      return List.of(uri().getAuthority());
    }
    return DFSUtilClient.getHaNnRpcAddresses(fs.getConf()).get(uri().getHost()).values().stream()
        .map(address -> address.getHostString() + ":" + address.getPort())
        .toList();
  }

  /** Which HDFS this is. */
  public URI uri() {
    return fs.getUri();
  }

  /**
   * Returns the terms of those who have held the owner file; empty if there is no such file, or it
   * tells of none, as that of an older version.
   */
  public Optional<Terms> terms() throws IOException {
    return OwnerFile.terms(fs, root);
  }

  /** The process that holds the owner file: this one, unless it only looks. */
  public String holder() {
    return owner.map(OwnerFile::holder).orElse("");
  }

  @Override
  public FileMarks marks() {
    return marks;
  }

  /** Returns what keeps the decisions of operators below the root. */
  public DecisionStore decisions() {
    return decisions;
  }

  /** Returns the files that keep the audit below the root. */
  public HdfsAuditFiles audit() {
    return audit;
  }

  /** Returns the owner file; empty if this connection only looks. */
  public Optional<OwnerFile> owner() {
    return owner;
  }

  @Override
  public void removeRoot() throws IOException {
    access.fence().pass();
    parity.removeDirectories();
    audit.remove();
    if (owner.isPresent()) { // else the fence has refused
      owner.get().remove();
    }
    parity.fencedBy(Fence.OPEN); // nobody owns what is left, and it is looked at until the end
    if (!parity.removeRoot()) {
      throw new RefusedException(
          "The root of the parity is not empty any more, so it stays: something was created in it"
              + " during the removal");
    }
  }

  /** Gives up the ownership, then the connections. */
  @Override
  public void close() throws IOException {
    IOException failure = new IOException("Closing the connections to HDFS failed");
    closeQuietly(owner.orElse(null), failure);
    closeQuietly(parity, failure);
    closeQuietly(tokens, failure);
    closeQuietly(fs, failure);
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }
}
