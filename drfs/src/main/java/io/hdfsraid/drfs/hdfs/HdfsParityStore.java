// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.AbandonedBlocks;
import io.hdfsraid.drfs.parity.DraftLoan;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.Obstacle;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.parity.RefusedException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parity files on a real HDFS. The store has a client of its own, which does not sleep 400 ms
 * for each unit file that it closes. See {@link ParityPaths} for the names.
 */
public final class HdfsParityStore implements ParityStore, Closeable {
  /**
   * The number of extended attributes that HDFS must allow for an inode: the largest manifest and
   * its phase.
   */
  public static final int ATTRIBUTES_NEEDED = ManifestXAttrs.MAX_ATTRIBUTES + 1;

  /** The number of bytes, name and value, that HDFS must allow for an extended attribute. */
  public static final int ATTRIBUTE_BYTES_NEEDED = ManifestXAttrs.ATTRIBUTE_BYTES;

  private static final Logger LOG = LoggerFactory.getLogger(HdfsParityStore.class);
  private static final long LEAVE = -1;
  private static final FsPermission DRAFT = new FsPermission((short) 0700);

  private final DistributedFileSystem fileSystem;
  private final DFSClient client;
  private final ParityPaths paths;
  private final HdfsNamespace namespace;
  private final ParityReader reader;
  private final OwnedDirectories directories;
  private final AccessRights rights;
  private final CallPermits calls;
  private volatile Supplier<ParitySettings.AccessRule> accessRule;
  private final UnitFiles files;
  private final ManifestPieces pieces;
  private final Optional<ClusterIdentity> home;
  private final Set<String> liveDrafts = ConcurrentHashMap.newKeySet();
  private volatile Fence fence = Fence.OPEN;

  /** Opens a store on the given HDFS. The store owns its connection and must be closed. */
  public static HdfsParityStore open(URI hdfs, Configuration conf, ParitySettings settings)
      throws IOException {
    return open(hdfs, conf, settings, Optional.empty(), CallPermits.UNLIMITED);
  }

  /**
   * Opens a store that refuses parity whose manifest names another cluster or block pool, because
   * inode and block ids repeat across clusters.
   */
  public static HdfsParityStore open(
      URI hdfs, Configuration conf, ParitySettings settings, String clusterId, String blockPool)
      throws IOException {
    return open(hdfs, conf, settings, clusterId, blockPool, CallPermits.UNLIMITED);
  }

  /**
   * Opens such a store with a rate limit on calls to the NameNode.
   *
   * @param calls the rate limit for look-ups of parity
   */
  public static HdfsParityStore open(
      URI hdfs,
      Configuration conf,
      ParitySettings settings,
      String clusterId,
      String blockPool,
      CallPermits calls)
      throws IOException {
    return open(
        hdfs, conf, settings, Optional.of(new ClusterIdentity(clusterId, blockPool)), calls);
  }

  private static HdfsParityStore open(
      URI hdfs,
      Configuration conf,
      ParitySettings settings,
      Optional<ClusterIdentity> home,
      CallPermits calls)
      throws IOException {
    Configuration writer = new Configuration(conf);
    writer.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    writer.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    writer.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12);
    writer.set("dfs.checksum.type", "CRC32C"); // what ReplicaChecksum compares
    return new HdfsParityStore(
        (DistributedFileSystem) FileSystem.newInstance(hdfs, writer), settings, home, calls);
  }

  private HdfsParityStore(
      DistributedFileSystem fileSystem,
      ParitySettings settings,
      Optional<ClusterIdentity> home,
      CallPermits calls)
      throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    this.fileSystem = fileSystem;
    this.client = fileSystem.getClient();
    this.paths = new ParityPaths(settings.root());
    this.namespace = new HdfsNamespace(fileSystem);
    this.reader = new ParityReader(fileSystem, settings.root(), calls);
    this.directories = new OwnedDirectories(client, user);
    this.accessRule = settings::access;
    this.files = new UnitFiles(fileSystem);
    this.pieces = new ManifestPieces(this, client, files, directories, paths);
    this.rights =
        new AccessRights(client, this::writer, user, () -> accessRule.get(), pieces, calls);
    this.calls = calls;
    this.home = home;
  }

  /**
   * Sets the fence that is checked right before each change. The root must have been prepared by
   * then, because the owner file lies in it.
   */
  public void fencedBy(Fence fence) {
    this.fence = fence;
  }

  /** Sets who says how the rights of parity follow those of its source, instead of the settings. */
  public void readableBy(Supplier<ParitySettings.AccessRule> rule) {
    accessRule = rule;
  }

  /** Returns the client for one change, which is sent now: the fence is checked. */
  DFSClient writer() throws IOException {
    checkFence();
    return client;
  }

  void checkFence() throws IOException {
    fence.recheck();
  }

  HdfsNamespace namespace() {
    return namespace;
  }

  AccessRights rights() {
    return rights;
  }

  ManifestPieces pieces() {
    return pieces;
  }

  void setXAttrs(String path, Map<String, byte[]> attributes) throws IOException {
    for (Map.Entry<String, byte[]> attribute : attributes.entrySet()) {
      setXAttr(path, attribute.getKey(), attribute.getValue());
    }
  }

  private void setXAttr(String path, String name, byte[] value) throws IOException {
    writer().setXAttr(path, name, value, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  @Override
  public void prepare() throws IOException {
    parityRoot().prepare();
  }

  @Override
  public Optional<Obstacle> obstacle(IOException failure) {
    return WriteRefusal.obstacle(failure);
  }

  /** Checks the root as {@link #prepare} does, without changing anything. */
  public RootCheck checkRoot() throws IOException {
    return parityRoot().look();
  }

  private ParityRoot parityRoot() {
    return new ParityRoot(client, directories, paths, files);
  }

  @Override
  public Optional<ParityFile> find(long inode) throws IOException {
    Optional<ParityFile> parity = reader.find(inode);
    if (parity.isEmpty()) {
      checkFence(); // that nothing is in a root that was moved away proves nothing
    }
    return ofThisCluster(parity);
  }

  private Optional<ParityFile> ofThisCluster(Optional<ParityFile> parity) throws IOException {
    if (home.isPresent() && parity.isPresent()) {
      home.get().require(parity.get());
    }
    return parity;
  }

  @Override
  public Optional<Long> sourceOf(String path) {
    OptionalLong inode = ParityPaths.inodeOf(path.substring(path.lastIndexOf('/') + 1));
    return inode.isPresent() && path.equals(paths.parity(inode.getAsLong()))
        ? Optional.of(inode.getAsLong())
        : Optional.empty();
  }

  @Override
  public void forEach(Consumer<Long> inode) throws IOException {
    forEachFile(
        paths.parity(),
        (path, name) -> sourceOf(path).ifPresentOrElse(inode, () -> leftAlone(path)));
    forEachGroup(group -> inode.accept(group.value()));
  }

  @Override
  public void forEachGroup(Consumer<GroupId> group) throws IOException {
    forEachFile(
        paths.group(),
        (path, name) ->
            sourceOf(path).map(GroupId::new).ifPresentOrElse(group, () -> leftAlone(path)));
  }

  private interface ParityFileVisitor {
    void visit(String path, String name) throws IOException;
  }

  /** Visits the files two levels below, page by page. */
  private void forEachFile(String top, ParityFileVisitor visitor) throws IOException {
    checkFence();
    DirectoryPages.forEach(
        client,
        calls,
        top,
        directory -> {
          String directoryPath = directory.getFullName(top);
          if (!directory.isDirectory()) {
            leftAlone(directoryPath);
            return;
          }
          DirectoryPages.forEach(
              client,
              calls,
              directoryPath,
              file -> {
                String path = file.getFullName(directoryPath);
                if (file.isFile() && file.getOwner().equals(directories.user())) {
                  visitor.visit(path, file.getLocalName());
                } else {
                  leftAlone(path);
                }
              });
        });
  }

  private static void leftAlone(String path) {
    LOG.warn("{} is skipped: it is no parity file of this product", path);
  }

  @Override
  public void mark(long inode, ParityPhase phase) throws IOException {
    setXAttr(paths.parity(inode), ManifestXAttrs.PHASE, ManifestXAttrs.encode(phase));
  }

  @Override
  public void refreshAccess(long inode) throws IOException {
    refreshAccess(inode, rights::copy);
  }

  @Override
  public AccessRefresh accessRefresh() {
    AccessRights.Refresh refresh = rights.refresh();
    return inode -> refreshAccess(inode, refresh::copy);
  }

  /** Gives parity the access rights of its sources. */
  private interface Copying {
    void copy(Collection<Long> sources, String parity) throws IOException;
  }

  private void refreshAccess(long inode, Copying rightsOfSources) throws IOException {
    List<Long> members = List.of(inode);
    if (GroupId.isGroup(inode)) {
      Optional<ParityFile> group = find(inode);
      if (group.isEmpty()) {
        return;
      }
      members = membersOf(group.get());
    }
    try {
      checkFence();
      rightsOfSources.copy(members, paths.parity(inode));
    } catch (FileNotFoundException e) {
      LOG.debug("Inode {} has no parity whose access could be refreshed", inode);
    }
  }

  @Override
  public Optional<String> accessRule() {
    return Optional.of(accessRule.get())
        .filter(rule -> rule != ParitySettings.AccessRule.UNKNOWN)
        .map(ParitySettings.AccessRule::name);
  }

  private static List<Long> membersOf(ParityFile parity) {
    return parity.manifest().members().stream().map(Member::inode).toList();
  }

  @Override
  public Map<Long, String> groupKeys(Collection<Long> inodes) throws IOException {
    return rights.groupKeys(inodes);
  }

  @Override
  public void hint(long inode, GroupId group) throws IOException {
    if (hintOf(inode).filter(group::equals).isEmpty() && namespace.file(inode).isPresent()) {
      try {
        setXAttr(InodePath.of(inode), ManifestXAttrs.GROUP, ManifestXAttrs.encode(group));
      } catch (FileNotFoundException e) {
        LOG.debug("Inode {} was gone before its group could be written on it", inode);
      } catch (RemoteException e) {
        // The file already has as many attributes as HDFS allows: readers will not find the
        // group, but the daemon will.
        LOG.info("{} could not be written on inode {}: {}", group, inode, e.getMessage());
      }
    }
  }

  @Override
  public void unhint(long inode, GroupId group) throws IOException {
    if (hintOf(inode).filter(group::equals).isPresent()) {
      try {
        writer().removeXAttr(InodePath.of(inode), ManifestXAttrs.GROUP);
      } catch (FileNotFoundException | RemoteException e) {
        LOG.debug("The hint on inode {} was already gone", inode);
      }
    }
  }

  /** An inode path may resolve to another inode, whose hint must be ignored. */
  @Override
  public Optional<GroupId> hintOf(long inode) throws IOException {
    try {
      HdfsFileStatus status = InodePath.ask(inode, client::getFileInfo);
      return status == null || status.getFileId() != inode
          ? Optional.empty()
          : ManifestXAttrs.group(InodePath.ask(inode, client::getXAttrs));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public void release(GroupId group, Collection<Long> members) throws IOException {
    setXAttr(paths.parity(group.value()), ManifestXAttrs.LEAVING, ManifestXAttrs.encode(members));
  }

  @Override
  public void abandon(long id, AbandonedBlocks blocks) throws IOException {
    setXAttr(paths.parity(id), ManifestXAttrs.PHASE, ManifestXAttrs.encode(blocks));
  }

  @Override
  public ParityDraft draft(long inode) throws IOException {
    checkFence();
    removeDraftsOf(inode);
    String directory = newDraft(Long.toString(inode));
    liveDrafts.add(directory);
    directories.ensure(directory, DRAFT, this::writer);
    return new HdfsParityDraft(this, files, inode, directory);
  }

  /** Names the epoch, so that the NameNode's audit log tells whose commit it was. */
  private String newDraft(String of) {
    return "%s/%s-%d-%s".formatted(paths.drafts(), of, fence.epoch(), UUID.randomUUID());
  }

  private void removeDraftsOf(long inode) throws IOException {
    DirectoryPages.forEach(
        client,
        paths.drafts(),
        entry -> {
          if (entry.getLocalName().startsWith(inode + "-")) {
            removeDraft(entry);
          }
        });
  }

  @Override
  public DraftLoan workspace(String user) throws IOException {
    checkFence();
    String directory = newDraft("job");
    liveDrafts.add(directory);
    try {
      directories.ensure(directory, DRAFT, this::writer);
      DraftLoan loan = lend(directory, user);
      return new HdfsDraftLoan(directory, loan::address, () -> removeWorkspace(directory, loan));
    } catch (IOException | RuntimeException e) {
      finished(directory); // so that what there is of it is swept
      throw e;
    }
  }

  private void removeWorkspace(String directory, DraftLoan loan) throws IOException {
    try {
      loan.close();
      boolean recursive = true;
      writer().delete(directory, recursive);
    } finally {
      finished(directory);
    }
  }

  /** Gives a directory of drafts to another user until the loan is closed. */
  DraftLoan lend(String directory, String user) throws IOException {
    String unchangedGroup = null;
    writer().setOwner(directory, user, unchangedGroup);
    return new HdfsDraftLoan(directory, files::address, () -> takeBack(directory));
  }

  /**
   * The borrower could let others in: as long as it owned the directory, its rights were its own.
   */
  private void takeBack(String directory) throws IOException {
    String unchangedGroup = null;
    writer().setOwner(directory, directories.user(), unchangedGroup);
    writer().setPermission(directory, DRAFT);
    HdfsFileStatus now = client.getFileInfo(directory);
    if (now != null && now.hasAcl()) {
      writer().removeAcl(directory);
    }
  }

  private boolean removeDraft(HdfsFileStatus entry) throws IOException {
    String path = entry.getFullName(paths.drafts());
    if (directories.isOurs(path) || directories.isLent(path, entry)) {
      boolean recursive = true;
      writer().delete(path, recursive);
    } else if (directories.isAbandoned(path, entry)) {
      boolean recursive = false; // if it is not empty any more, it must not be removed
      writer().delete(path, recursive);
    } else {
      leftAlone(path);
      return false;
    }
    liveDrafts.remove(path);
    return true;
  }

  @Override
  public int sweepDrafts() throws IOException {
    return removeDeadDrafts() + pieces.sweep();
  }

  /**
   * Removes the drafts that nobody in this process is writing. After a take-over, HDFS thus refuses
   * a commit of the former writer that arrives late: there is nothing to rename any more.
   *
   * @return how many were removed
   */
  public int removeDeadDrafts() throws IOException {
    checkFence();
    AtomicInteger swept = new AtomicInteger();
    DirectoryPages.forEach(
        client,
        paths.drafts(),
        entry -> {
          if (!liveDrafts.contains(entry.getFullName(paths.drafts())) && removeDraft(entry)) {
            swept.incrementAndGet();
          }
        });
    return swept.get();
  }

  void finished(String draft) {
    liveDrafts.remove(draft);
  }

  /** Returns the path of committed parity after creating its directory. */
  String committedPath(long inode) throws IOException {
    checkFence();
    directories.ensure(paths.parityDirectory(inode), ParityRoot.PASS_THROUGH, this::writer);
    return paths.parity(inode);
  }

  @Override
  public boolean quarantine(ParityFile parity) throws IOException {
    long wanted = parity.file().inode();
    long inode =
        sourceOf(parity.file().path()).orElseGet(() -> parity.manifest().members().get(0).inode());
    String from = paths.parity(inode);
    HdfsFileStatus there = client.getFileInfo(from);
    if (there == null || there.getFileId() != wanted) {
      return false;
    }
    requireOurs(paths.parityDirectory(inode), from, there);
    checkFence();
    directories.ensure(paths.quarantineDirectory(inode), ParityRoot.PASS_THROUGH, this::writer);
    try {
      boolean unused = rights.revoke(from);
      // A rename keeps the time of the encoding, and the quarantine would already be over.
      stamp(wanted);
      writer().rename(from, paths.quarantined(inode, wanted), Rename.NONE);
      return true;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private void requireOurs(String directory, String path, HdfsFileStatus file) throws IOException {
    if (!directories.isOurFile(directory, file)) {
      throw new IOException(
          "%s (owner %s) is not a file of this product; it was not changed"
              .formatted(path, file.getOwner()));
    }
  }

  @Override
  public void forEachQuarantined(Consumer<ParityFile> parity) throws IOException {
    forEachFile(
        paths.quarantine(),
        (path, name) -> {
          if (ParityPaths.quarantinedInodeOf(name).isPresent()) {
            readQuarantined(path).ifPresent(parity);
          } else {
            leftAlone(path);
          }
        });
  }

  /** Reads a quarantined file. An unreadable file must not keep the others from being read. */
  private Optional<ParityFile> readQuarantined(String path) throws IOException {
    try {
      Optional<ParityFile> kept = ofThisCluster(reader.read(path));
      if (kept.isPresent() && idInName(kept.get().file()).isEmpty()) {
        leftAlone(path); // copied or renamed by a user: the name does not identify the source
        return Optional.empty();
      }
      return kept;
    } catch (ManifestFormatException | RefusedException e) {
      LOG.warn("{} is left in quarantine: {}", path, e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public int hideQuarantined() throws IOException {
    AtomicInteger hidden = new AtomicInteger();
    forEachFile(
        paths.quarantine(),
        (path, name) -> {
          if (ParityPaths.quarantinedInodeOf(name).isPresent()) {
            checkFence();
            if (rights.revoke(path)) {
              hidden.incrementAndGet();
            }
          }
        });
    return hidden.get();
  }

  @Override
  public List<ParityFile> quarantined(long inode) throws IOException {
    checkFence();
    String directory = paths.quarantineDirectory(inode);
    List<ParityFile> found = new ArrayList<>();
    DirectoryPages.forEach(
        client,
        directory,
        file -> {
          OptionalLong source = ParityPaths.quarantinedInodeOf(file.getLocalName());
          if (source.isPresent()
              && source.getAsLong() == inode
              && directories.isOurFile(directory, file)) {
            readQuarantined(file.getFullName(directory)).ifPresent(found::add);
          }
        });
    return found;
  }

  @Override
  public int sweepDirectories(Instant unchangedSince) throws IOException {
    checkFence();
    return contents().sweepDirectories(unchangedSince);
  }

  @Override
  public Footprint footprint() throws IOException {
    return contents().footprint();
  }

  @Override
  public void removeDirectories() throws IOException {
    checkFence();
    contents().removeDirectories();
  }

  @Override
  public boolean removeRoot() throws IOException {
    return contents().removeRoot();
  }

  private RootContents contents() {
    return new RootContents(client, this::writer, directories, paths, pieces);
  }

  @Override
  public boolean restore(ParityFile quarantined) throws IOException {
    long inode = quarantinedInode(quarantined.file());
    if (stillThere(quarantined.file(), inode).isEmpty()) {
      return false;
    }
    String target = committedPath(inode);
    try {
      rights.copy(membersOf(quarantined), quarantined.file().path());
      writer().rename(quarantined.file().path(), target, Rename.NONE);
      return true;
    } catch (FileNotFoundException | FileAlreadyExistsException e) {
      return false;
    }
  }

  @Override
  public void stampAnew(ParityFile quarantined) throws IOException {
    if (stillThere(quarantined.file(), quarantinedInode(quarantined.file())).isPresent()) {
      checkFence();
      try {
        stamp(quarantined.file().inode());
      } catch (FileNotFoundException e) {
        LOG.debug("{} was gone before", quarantined.file().path());
      }
    }
  }

  private void stamp(long inode) throws IOException {
    writer().setTimes(InodePath.of(inode), System.currentTimeMillis(), LEAVE);
  }

  @Override
  public void purge(ParityFile quarantined) throws IOException {
    long inode = quarantinedInode(quarantined.file());
    if (stillThere(quarantined.file(), inode).isPresent()) {
      boolean recursive = false;
      writer().delete(quarantined.file().path(), recursive);
      pieces.remove(quarantined.file().inode());
    }
  }

  @Override
  public long idOf(ParityFile quarantined) {
    return quarantinedInode(quarantined.file());
  }

  /** Returns the id of a file in quarantine. Other paths are rejected. */
  private long quarantinedInode(LocatedFile file) {
    OptionalLong inode = idInName(file);
    if (inode.isEmpty()) {
      throw new IllegalArgumentException(file.path() + " is not in quarantine");
    }
    return inode.getAsLong();
  }

  /**
   * Returns the id in the name of a quarantined file; empty unless the path is the one that this
   * product gives to this file.
   */
  private OptionalLong idInName(LocatedFile file) {
    String path = file.path();
    OptionalLong inode = ParityPaths.quarantinedInodeOf(path.substring(path.lastIndexOf('/') + 1));
    return inode.isPresent() && path.equals(paths.quarantined(inode.getAsLong(), file.inode()))
        ? inode
        : OptionalLong.empty();
  }

  private Optional<HdfsFileStatus> stillThere(LocatedFile file, long inode) throws IOException {
    HdfsFileStatus now = client.getFileInfo(file.path());
    if (now == null || now.getFileId() != file.inode()) {
      return Optional.empty();
    }
    requireOurs(paths.quarantineDirectory(inode), file.path(), now);
    return Optional.of(now);
  }

  @Override
  public void close() {
    try {
      fileSystem.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The connection to HDFS could not be closed", e);
    }
  }
}
