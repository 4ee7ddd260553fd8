package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.RefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/** Makes the root usable, or says why it cannot be. */
final class ParityRoot {
  /** Others may pass through to a file they have the right to read, but not list. */
  static final FsPermission PASS_THROUGH = new FsPermission((short) 0711);

  private final DFSClient client;
  private final OwnedDirectories directories;
  private final ParityPaths paths;

  ParityRoot(DFSClient client, OwnedDirectories directories, ParityPaths paths) {
    this.client = client;
    this.directories = directories;
    this.paths = paths;
  }

  void prepare() throws IOException {
    refuseEncryptionZone();
    refuseSnapshots();
    directories.ensure(paths.root(), PASS_THROUGH);
    for (String directory : paths.directories()) {
      directories.ensure(directory, PASS_THROUGH);
    }
    refuseSmallXAttrs();
  }

  private void refuseEncryptionZone() throws IOException {
    String existing = paths.root();
    while (client.getFileInfo(existing) == null) {
      existing = parent(existing);
    }
    EncryptionZone zone;
    try {
      zone = client.getEZForPath(existing);
    } catch (FileNotFoundException e) {
      zone = null; // removed since
    }
    if (zone != null) {
      throw new RefusedException(
          "%s is inside the encryption zone %s, where HDFS cannot concat files: choose a root outside of it"
              .formatted(paths.root(), zone.getPath()));
    }
  }

  /** Concat refuses a file that is in a snapshot, and a snapshot would keep purged parity. */
  private void refuseSnapshots() throws IOException {
    for (String directory : paths.directories()) {
      refuseSnapshots(directory);
    }
    String ancestor = paths.root();
    refuseSnapshots(ancestor);
    while (!ancestor.equals("/")) {
      ancestor = parent(ancestor);
      refuseSnapshots(ancestor);
    }
  }

  private void refuseSnapshots(String directory) throws IOException {
    if (allowsSnapshots(directory)) {
      throw new RefusedException(
          "%s allows snapshots, and HDFS cannot concat files of a snapshot: disallow them or choose a root other than %s"
              .formatted(directory, paths.root()));
    }
  }

  private boolean allowsSnapshots(String directory) throws IOException {
    if (directory.equals("/")) { // always looks as if it did
      SnapshottableDirectoryStatus[] all = client.getSnapshottableDirListing();
      return all != null && Arrays.stream(all).anyMatch(status -> status.getFullPath().isRoot());
    }
    HdfsFileStatus status = client.getFileInfo(directory);
    return status != null && status.isSnapshotEnabled();
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash == 0 ? "/" : path.substring(0, slash);
  }

  /** Writes as many and as large attributes as the largest manifest has. */
  private void refuseSmallXAttrs() throws IOException {
    String probe = paths.drafts() + "/probe-" + System.nanoTime();
    directories.ensure(probe, new FsPermission((short) 0700));
    try {
      for (int i = 0; i < ManifestXAttrs.MAX_ATTRIBUTES; i++) {
        String name = "user.raid.probe." + i;
        int bytes = i == 0 ? ManifestXAttrs.ATTRIBUTE_BYTES - name.length() : 1;
        client.setXAttr(probe, name, new byte[bytes], EnumSet.of(XAttrSetFlag.CREATE));
      }
    } catch (IOException e) {
      RefusedException refused =
          new RefusedException(
              "Manifests need 32 extended attributes for an inode and 16,000 bytes for each (dfs.namenode.fs-limits.max-xattrs-per-inode, dfs.namenode.fs-limits.max-xattr-size), but HDFS says: "
                  + e.getMessage());
      refused.initCause(e);
      throw refused;
    } finally {
      boolean recursive = true;
      client.delete(probe, recursive);
    }
  }
}
