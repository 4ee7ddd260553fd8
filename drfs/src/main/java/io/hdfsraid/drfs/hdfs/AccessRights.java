package io.hdfsraid.drfs.hdfs;

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
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.AclException;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Reads the access rights of a source and gives them to its parity. */
final class AccessRights {
  private static final FsPermission DAEMON_ONLY = new FsPermission((short) 0600);

  private final DFSClient client;
  private final String daemon;
  private final ParitySettings.Access rule;

  AccessRights(DFSClient client, String daemon, ParitySettings.Access rule) {
    this.client = client;
    this.daemon = daemon;
    this.rule = rule;
  }

  /**
   * Gives the parity the rights of its sources as they are now; none but the daemon's when they
   * differ, for parity tells something of each of them. A source that is gone counts for nothing
   * while another one lives.
   */
  void copy(Collection<Long> sources, String parity) throws IOException {
    HdfsFileStatus status = client.getFileInfo(parity);
    if (status == null) {
      throw new FileNotFoundException("There is no parity file " + parity);
    }
    ParityAccess access =
        rule == ParitySettings.Access.DAEMON_ONLY
            ? ParityAccess.daemonOnly(status.getGroup())
            : accessOf(sources, status.getGroup());
    if (isAlready(access, status)) {
      return; // asked for again and again, and each change is a line in the NameNode's edit log
    }
    if (!access.group().equals(status.getGroup())) {
      client.setPermission(parity, DAEMON_ONLY); // or the new group gets the old one's rights
      client.setOwner(parity, null, access.group());
    }
    try {
      client.setAcl(parity, access.acl());
    } catch (AclException e) { // switched off
      client.setPermission(parity, access.mode().orElse(DAEMON_ONLY));
    }
  }

  /** Certain only without an ACL, which is the usual case. */
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

  private ParityAccess accessOf(Collection<Long> sources, String group) throws IOException {
    Directories directories = new Directories();
    Set<ParityAccess> found = new HashSet<>();
    for (long inode : sources) {
      try {
        Optional<HdfsFileStatus> source = source(inode);
        if (source.isPresent()) {
          found.add(accessOf(source.get(), directories.above(inode)));
        }
      } catch (FileNotFoundException e) {
        return ParityAccess.daemonOnly(group); // moved or deleted while we looked
      }
    }
    return found.size() == 1 ? found.iterator().next() : ParityAccess.daemonOnly(group);
  }

  private ParityAccess accessOf(HdfsFileStatus source, List<Directory> above) throws IOException {
    return ParityAccess.of(
        daemon,
        access(HdfsNamespace.inodePath(source.getFileId()), source),
        above.stream().map(Directory::access).toList());
  }

  private Optional<HdfsFileStatus> source(long inode) throws IOException {
    try {
      return Optional.ofNullable(client.getFileInfo(HdfsNamespace.inodePath(inode)))
          .filter(status -> status.getFileId() == inode);
    } catch (FileNotFoundException e) { // inode paths answer so
      return Optional.empty();
    }
  }

  /** See {@code ParityStore}: one call for each file, and one for the directory it lies in. */
  Map<Long, String> kinship(Collection<Long> inodes) throws IOException {
    Directories directories = new Directories();
    Map<Long, String> kinship = new HashMap<>();
    for (long inode : inodes) {
      try {
        Optional<HdfsFileStatus> source = source(inode);
        if (source.isPresent()) {
          HdfsFileStatus status = source.get();
          List<Directory> above = directories.above(inode);
          kinship.put(
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
        kinship.remove(inode); // moved or deleted while we looked
      }
    }
    return kinship;
  }

  /** A directory above a source. */
  private record Directory(long inode, PathAccess access) {}

  /** From parent to parent by inode id, so that no path need be known; each chain once. */
  private final class Directories {
    private final Map<Long, List<Directory>> chains = new HashMap<>();

    /** The directories above, the nearest first; never empty. */
    List<Directory> above(long inode) throws IOException {
      Parent parent = parent(inode);
      List<Directory> chain = chains.get(parent.status().getFileId());
      if (chain == null) {
        chain = chain(parent);
        chains.put(parent.status().getFileId(), chain);
      }
      return chain;
    }

    private List<Directory> chain(Parent nearest) throws IOException {
      long root = client.getFileInfo("/").getFileId();
      List<Directory> chain = new ArrayList<>();
      Parent at = nearest;
      while (true) {
        long inode = at.status().getFileId();
        chain.add(new Directory(inode, access(at.path(), at.status())));
        if (inode == root) {
          return chain;
        }
        at = parent(inode);
      }
    }

    private Parent parent(long inode) throws IOException {
      String path = HdfsNamespace.inodePath(inode) + "/..";
      HdfsFileStatus status = client.getFileInfo(path);
      if (status == null || status.getFileId() == inode) {
        throw new FileNotFoundException(path);
      }
      return new Parent(path, status);
    }
  }

  private record Parent(String path, HdfsFileStatus status) {}

  private PathAccess access(String path, HdfsFileStatus status) throws IOException {
    return status.hasAcl() ? PathAccess.of(client.getAclStatus(path)) : PathAccess.of(status);
  }
}
