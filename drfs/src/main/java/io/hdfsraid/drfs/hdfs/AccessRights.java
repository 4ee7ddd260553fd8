// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.namespace.CallPermits;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.AclException;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Reads the access rights of source files and applies them to their parity. Also computes the group
 * keys of files.
 */
final class AccessRights {
  private static final FsPermission DAEMON_ONLY = new FsPermission((short) 0600);

  private final DFSClient client;
  private final Writer writer;
  private final String daemon;
  private final Supplier<ParitySettings.AccessRule> rule;
  private final Pieces pieces;
  private final CallPermits calls;

  /** Names the files with the pieces of the manifest of a parity file, which get its rights. */
  interface Pieces {
    Pieces NONE = parityInode -> List.of();

    List<String> of(long parityInode) throws IOException;
  }

  AccessRights(
      DFSClient client,
      Writer writer,
      String daemon,
      Supplier<ParitySettings.AccessRule> rule,
      Pieces pieces) {
    this(client, writer, daemon, rule, pieces, CallPermits.UNLIMITED);
  }

  /**
   * @param calls counts the look-ups. They do not wait, because a change may follow
   */
  AccessRights(
      DFSClient client,
      Writer writer,
      String daemon,
      Supplier<ParitySettings.AccessRule> rule,
      Pieces pieces,
      CallPermits calls) {
    this.client = client;
    this.writer = writer;
    this.daemon = daemon;
    this.rule = rule;
    this.pieces = pieces;
    this.calls = calls;
  }

  /**
   * Gives the parity the current access rights of its sources. If the rights of the sources differ,
   * only the daemon may read the parity, because parity reveals something about each source.
   *
   * <p>A source that no longer exists may live on in a snapshot, and its last rights are not known
   * any more. The parity of the remaining sources gets no new readers then, and parity without any
   * source keeps the rights that it has.
   */
  void copy(Collection<Long> sources, String parity) throws IOException {
    HdfsFileStatus status = status(parity);
    Optional<ParityAccess> wanted = wanted(sources, parity, status, new Ancestors());
    if (wanted.isPresent()) {
      boolean unused = setAll(parity, status, wanted.get());
    }
  }

  /** Begins a refresh of many parity files, which takes seconds. */
  Refresh refresh() {
    return new Refresh();
  }

  /**
   * Gives many parity files the rights of their sources. Asks once for the directories that the
   * sources share. Safe for concurrent use.
   */
  final class Refresh {
    private final Ancestors directories = new Ancestors();

    /**
     * Works as {@link #copy}. Asks for the directories again before a change: somebody may have
     * changed them since, and the rights of this parity by their new state.
     */
    void copy(Collection<Long> sources, String parity) throws IOException {
      HdfsFileStatus status = status(parity);
      Optional<ParityAccess> wanted = wanted(sources, parity, status, directories);
      boolean hasPieces = !pieces.of(status.getFileId()).isEmpty();
      if (hasPieces || wanted.filter(access -> !isAlready(access, status)).isPresent()) {
        AccessRights.this.copy(sources, parity);
      }
    }
  }

  private boolean setAll(String parity, HdfsFileStatus status, ParityAccess access)
      throws IOException {
    boolean changed = set(parity, status, access);
    for (String piece : pieces.of(status.getFileId())) {
      changed |= set(piece, status(piece), access);
    }
    return changed;
  }

  /** Returns the rights that the parity should have; empty for those that it has. */
  private Optional<ParityAccess> wanted(
      Collection<Long> sources, String parity, HdfsFileStatus status, Ancestors ancestors)
      throws IOException {
    ParityAccess daemonOnly = ParityAccess.daemonOnly(status.getGroup());
    ParitySettings.AccessRule now = rule.get();
    if (now == ParitySettings.AccessRule.DAEMON_ONLY) {
      return Optional.of(daemonOnly);
    }
    SourceRights rights = rightsOf(sources, daemonOnly, ancestors);
    if (rights.found().isEmpty()) {
      return Optional.empty();
    }
    if (rights.found().size() > 1) {
      return Optional.of(daemonOnly);
    }
    ParityAccess inherited = rights.found().iterator().next();
    boolean mayWiden = now == ParitySettings.AccessRule.INHERIT && rights.ofAll();
    return Optional.of(mayWiden || has(inherited, parity, status) ? inherited : daemonOnly);
  }

  /**
   * Lets nobody but the daemon read parity that is no longer in service: nobody adapts its rights
   * to those of its source any more.
   *
   * @return false if that was so already
   */
  boolean revoke(String parity) throws IOException {
    HdfsFileStatus status = status(parity);
    return setAll(parity, status, ParityAccess.daemonOnly(status.getGroup()));
  }

  private HdfsFileStatus status(String parity) throws IOException {
    HdfsFileStatus status = info(parity);
    if (status == null) {
      throw new FileNotFoundException("There is no parity file " + parity);
    }
    return status;
  }

  private boolean set(String parity, HdfsFileStatus status, ParityAccess access)
      throws IOException {
    if (isAlready(access, status)) {
      return false; // called often, and each change is an entry in the NameNode's edit log
    }
    if (!access.group().equals(status.getGroup())) {
      // Otherwise the new group would get the old group's rights.
      writer.get().setPermission(parity, DAEMON_ONLY);
      writer.get().setOwner(parity, null, access.group());
    }
    try {
      writer.get().setAcl(parity, access.acl());
    } catch (AclException e) { // switched off
      writer.get().setPermission(parity, access.mode().orElse(DAEMON_ONLY));
    }
    return true;
  }

  /**
   * Whether the rights are already set. Can be decided only without an ACL, which is the usual
   * case.
   */
  private static boolean isAlready(ParityAccess access, HdfsFileStatus status) {
    int ownerGroupAndOther = 3;
    return !status.hasAcl()
        && access.acl().size() == ownerGroupAndOther
        && access.group().equals(status.getGroup())
        && access
            .mode()
            .filter(mode -> mode.toShort() == status.getPermission().toShort())
            .isPresent();
  }

  /** Whether exactly these rights are set. */
  private boolean has(ParityAccess access, String parity, HdfsFileStatus status)
      throws IOException {
    PathAccess now = access(parity, status);
    return access.equals(
        new ParityAccess(now.users(), now.group(), now.groupMay(), now.groups(), now.othersMay()));
  }

  /**
   * The rights that follow from the sources.
   *
   * @param found the different rights of the sources that exist
   * @param ofAll whether all sources exist
   */
  private record SourceRights(Set<ParityAccess> found, boolean ofAll) {}

  private SourceRights rightsOf(
      Collection<Long> sources, ParityAccess daemonOnly, Ancestors ancestors) throws IOException {
    Set<ParityAccess> found = new HashSet<>();
    boolean all = true;
    for (long inode : sources) {
      Optional<HdfsFileStatus> source = source(inode);
      try {
        if (source.isPresent()) {
          found.add(accessOf(source.get(), ancestors.above(inode)));
        }
      } catch (FileNotFoundException e) { // moved or deleted meanwhile
        source = source(inode);
        source.ifPresent(moved -> found.add(daemonOnly));
      }
      all &= source.isPresent();
    }
    return new SourceRights(found, all);
  }

  private ParityAccess accessOf(HdfsFileStatus source, List<Ancestor> above) throws IOException {
    return ParityAccess.of(
        daemon,
        access(InodePath.of(source.getFileId()), source),
        above.stream().map(Ancestor::access).toList());
  }

  private Optional<HdfsFileStatus> source(long inode) throws IOException {
    try {
      return Optional.ofNullable(InodePath.ask(inode, this::info))
          .filter(status -> status.getFileId() == inode);
    } catch (FileNotFoundException e) { // the answer for an inode path that does not resolve
      return Optional.empty();
    }
  }

  /**
   * Returns group keys as specified by {@code ParityStore}. Needs one call for each file, and one
   * for its directory.
   */
  Map<Long, String> groupKeys(Collection<Long> inodes) throws IOException {
    Ancestors ancestors = new Ancestors();
    Map<Long, String> groupKeys = new HashMap<>();
    for (long inode : inodes) {
      try {
        Optional<HdfsFileStatus> source = source(inode);
        if (source.isPresent()) {
          HdfsFileStatus status = source.get();
          List<Ancestor> above = ancestors.above(inode);
          groupKeys.put(
              inode,
              "directory %d, owner %s, group %s, mode %o, storage policy %d, %s"
                  .formatted(
                      above.get(0).inode(),
                      status.getOwner(),
                      status.getGroup(),
                      status.getPermission().toShort(),
                      status.getStoragePolicy(),
                      accessOf(status, above)));
        }
      } catch (FileNotFoundException e) {
        groupKeys.remove(inode); // moved or deleted meanwhile
      }
    }
    return groupKeys;
  }

  /** A directory above a source. */
  private record Ancestor(long inode, PathAccess access) {}

  /**
   * Walks from parent to parent by inode id, so that no path is needed. Each chain is read once.
   * Safe for concurrent use.
   */
  private final class Ancestors {
    private final Map<Long, Chain> chains = new ConcurrentHashMap<>();

    /** Returns the ancestors, nearest first; never empty. */
    List<Ancestor> above(long inode) throws IOException {
      Parent parent = parent(inode);
      return chains
          .computeIfAbsent(parent.status().getFileId(), unused -> new Chain())
          .from(parent);
    }

    /** The ancestors from one directory on. Who comes while they are being read waits for them. */
    private final class Chain {
      private List<Ancestor> ancestors = List.of();

      synchronized List<Ancestor> from(Parent nearest) throws IOException {
        if (ancestors.isEmpty()) {
          ancestors = read(nearest);
        }
        return ancestors;
      }
    }

    private List<Ancestor> read(Parent nearest) throws IOException {
      long root = info("/").getFileId();
      List<Ancestor> chain = new ArrayList<>();
      Parent at = nearest;
      while (true) {
        long inode = at.status().getFileId();
        chain.add(new Ancestor(inode, access(at.path(), at.status())));
        if (inode == root) {
          return chain;
        }
        at = parent(inode);
      }
    }

    private Parent parent(long inode) throws IOException {
      String path = InodePath.of(inode) + "/..";
      HdfsFileStatus status = info(path);
      if (status == null || status.getFileId() == inode) {
        throw new FileNotFoundException(path);
      }
      return new Parent(path, status);
    }
  }

  private record Parent(String path, HdfsFileStatus status) {}

  private HdfsFileStatus info(String path) throws IOException {
    calls.count(1);
    return client.getFileInfo(path);
  }

  private PathAccess access(String path, HdfsFileStatus status) throws IOException {
    return status.hasAcl() ? PathAccess.of(client.getAclStatus(path)) : PathAccess.of(status);
  }
}
