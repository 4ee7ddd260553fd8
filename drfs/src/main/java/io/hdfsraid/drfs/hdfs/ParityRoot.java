// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.RefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/** Prepares the root of the parity, or reports why that is not possible. */
final class ParityRoot {
  /** Other users may traverse a directory to a file that they may read, but may not list it. */
  static final FsPermission PASS_THROUGH = new FsPermission((short) 0711);

  private final DFSClient client;
  private final OwnedDirectories directories;
  private final ParityPaths paths;
  private final UnitFiles files;

  ParityRoot(DFSClient client, OwnedDirectories directories, ParityPaths paths, UnitFiles files) {
    this.client = client;
    this.directories = directories;
    this.paths = paths;
    this.files = files;
  }

  /** Checks the root without changing anything. */
  RootCheck look() throws IOException {
    return new RootCheck(client.getFileInfo(paths.root()) != null, zone(), snapshots(), occupant());
  }

  /**
   * Creates what is missing of the root. No fence is checked: the owner file lies in the root, and
   * who makes that file again comes here first.
   */
  void prepare() throws IOException {
    Optional<String> refusal = look().refusal();
    if (refusal.isPresent()) {
      throw new RefusedException(refusal.get());
    }
    directories.ensureRoot(paths.root(), PASS_THROUGH, () -> client);
    for (String directory : paths.directories()) {
      directories.ensure(directory, PASS_THROUGH, () -> client);
    }
    String probe = paths.drafts() + "/probe-" + System.nanoTime();
    directories.ensure(probe, new FsPermission((short) 0700), () -> client);
    try {
      refuseSmallXAttrs(probe);
      refuseLargeMinimum(probe + "/unit");
    } finally {
      boolean recursive = true;
      client.delete(probe, recursive);
    }
  }

  private Optional<String> zone() throws IOException {
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
    return Optional.ofNullable(zone)
        .map(
            found ->
                "%s is inside the encryption zone %s, where HDFS cannot concat files: choose a root outside of it"
                    .formatted(paths.root(), found.getPath()));
  }

  private Optional<String> occupant() throws IOException {
    Optional<String> occupant = directories.occupant(paths.root());
    for (String directory : paths.directories()) {
      occupant = occupant.isPresent() ? occupant : directories.occupant(directory);
    }
    return occupant;
  }

  /**
   * Returns the reason if a directory allows snapshots. Concat refuses a file in a snapshot, and a
   * snapshot would keep purged parity.
   */
  private Optional<String> snapshots() throws IOException {
    List<String> asked = new ArrayList<>(paths.directories());
    String ancestor = paths.root();
    asked.add(ancestor);
    while (!ancestor.equals("/")) {
      ancestor = parent(ancestor);
      asked.add(ancestor);
    }
    for (String directory : asked) {
      if (allowsSnapshots(directory)) {
        return Optional.of(
            "%s allows snapshots, and HDFS cannot concat files of a snapshot: disallow them or choose a root other than %s"
                .formatted(directory, paths.root()));
      }
    }
    return Optional.empty();
  }

  private boolean allowsSnapshots(String directory) throws IOException {
    if (directory.equals("/")) { // the root directory always reports that it does
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

  /**
   * Refuses the root if it cannot take as many and as large attributes as the largest manifest has.
   */
  private void refuseSmallXAttrs(String probe) throws IOException {
    try {
      for (int i = 0; i < ManifestXAttrs.MAX_ATTRIBUTES; i++) {
        String name = "user.raid.probe." + i;
        int bytes = i == 0 ? ManifestXAttrs.ATTRIBUTE_BYTES - name.length() : 1;
        client.setXAttr(probe, name, new byte[bytes], EnumSet.of(XAttrSetFlag.CREATE));
      }
    } catch (IOException e) {
      throw refused(
          "Manifests need 32 extended attributes for an inode and 16,000 bytes for each"
              + " (dfs.namenode.fs-limits.max-xattrs-per-inode,"
              + " dfs.namenode.fs-limits.max-xattr-size), but HDFS says: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Refuses a cluster that requires more than one replica. Parity units are files with one replica,
   * and raided files keep one or two.
   */
  private void refuseLargeMinimum(String probe) throws IOException {
    try {
      files.create(probe, 1, Optional.empty()).close();
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("less than the required minimum")) {
        throw refused(
            "HDFS allows no files with one replica, so raiding would save nothing: set"
                + " dfs.namenode.replication.min to 1 on the NameNode ("
                + e.getMessage().lines().findFirst().orElse("")
                + ")",
            e);
      }
      throw e;
    }
  }

  private static RefusedException refused(String message, IOException because) {
    RefusedException refused = new RefusedException(message);
    refused.initCause(because);
    return refused;
  }
}
