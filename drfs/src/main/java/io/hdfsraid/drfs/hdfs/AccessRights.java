package io.hdfsraid.drfs.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

  /** Gives the parity the rights of the source as they are now. */
  void copy(long sourceInode, String parity) throws IOException {
    HdfsFileStatus status = client.getFileInfo(parity);
    if (status == null) {
      throw new FileNotFoundException("There is no parity file " + parity);
    }
    ParityAccess access =
        rule == ParitySettings.Access.DAEMON_ONLY
            ? ParityAccess.daemonOnly(status.getGroup())
            : accessOf(sourceInode, status.getGroup());
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

  private ParityAccess accessOf(long inode, String group) throws IOException {
    String path = HdfsNamespace.inodePath(inode);
    HdfsFileStatus source = client.getFileInfo(path);
    if (source == null || source.getFileId() != inode) {
      return ParityAccess.daemonOnly(group);
    }
    try {
      return ParityAccess.of(daemon, access(path, source), ancestors(inode));
    } catch (FileNotFoundException e) {
      return ParityAccess.daemonOnly(group); // moved or deleted while we looked
    }
  }

  /** From parent to parent by inode id, so that the path need not be known. */
  private List<PathAccess> ancestors(long inode) throws IOException {
    long root = client.getFileInfo("/").getFileId();
    List<PathAccess> ancestors = new ArrayList<>();
    long at = inode;
    while (at != root) {
      String parent = HdfsNamespace.inodePath(at) + "/..";
      HdfsFileStatus status = client.getFileInfo(parent);
      if (status == null || status.getFileId() == at) {
        throw new FileNotFoundException(parent);
      }
      ancestors.add(access(parent, status));
      at = status.getFileId();
    }
    return ancestors;
  }

  private PathAccess access(String path, HdfsFileStatus status) throws IOException {
    return status.hasAcl() ? PathAccess.of(client.getAclStatus(path)) : PathAccess.of(status);
  }
}
