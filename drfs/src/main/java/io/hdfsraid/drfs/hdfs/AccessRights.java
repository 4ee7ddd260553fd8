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
   * only the daemon may read the parity, because parity reveals something about each source. A
   * source that no longer exists is ignored as long as another one exists.
   */
  void copy(Collection<Long> sources, String parity) throws IOException {
    HdfsFileStatus status = status(parity);
    boolean unused = setAll(parity, status, wanted(sources, status, new Ancestors()));
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
      boolean hasPieces = !pieces.of(status.getFileId()).isEmpty();
      if (hasPieces || !isAlready(wanted(sources, status, directories), status)) {
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

  private ParityAccess wanted(Collection<Long> sources, HdfsFileStatus parity, Ancestors ancestors)
      throws IOException {
    ParityAccess daemonOnly = ParityAccess.daemonOnly(parity.getGroup());
    return switch (rule.get()) {
      case INHERIT -> accessOf(sources, parity.getGroup(), ancestors);
      case DAEMON_ONLY -> daemonOnly;
      case UNKNOWN -> {
        ParityAccess inherited = accessOf(sources, parity.getGroup(), ancestors);
        yield isAlready(inherited, parity) ? inherited : daemonOnly;
      }
    };
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

  private ParityAccess accessOf(Collection<Long> sources, String group, Ancestors ancestors)
      throws IOException {
    Set<ParityAccess> found = new HashSet<>();
    for (long inode : sources) {
      try {
        Optional<HdfsFileStatus> source = source(inode);
        if (source.isPresent()) {
          found.add(accessOf(source.get(), ancestors.above(inode)));
        }
      } catch (FileNotFoundException e) {
        return ParityAccess.daemonOnly(group); // moved or deleted meanwhile
      }
    }
    return found.size() == 1 ? found.iterator().next() : ParityAccess.daemonOnly(group);
  }

  private ParityAccess accessOf(HdfsFileStatus source, List<Ancestor> above) throws IOException {
    return ParityAccess.of(
        daemon,
        access(HdfsNamespace.inodePath(source.getFileId()), source),
        above.stream().map(Ancestor::access).toList());
  }

  private Optional<HdfsFileStatus> source(long inode) throws IOException {
    try {
      return Optional.ofNullable(info(HdfsNamespace.inodePath(inode)))
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
    private final Map<Long, List<Ancestor>> chains = new ConcurrentHashMap<>();

    /** Returns the ancestors, nearest first; never empty. */
    List<Ancestor> above(long inode) throws IOException {
      Parent parent = parent(inode);
      List<Ancestor> chain = chains.get(parent.status().getFileId());
      if (chain == null) {
        chain = chain(parent);
        chains.put(parent.status().getFileId(), chain);
      }
      return chain;
    }

    private List<Ancestor> chain(Parent nearest) throws IOException {
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
      String path = HdfsNamespace.inodePath(inode) + "/..";
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
