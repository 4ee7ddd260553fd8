// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.RefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Directories that carry the ownership mark. A directory belongs to this product if it has the mark
 * and the daemon's user owns it. An empty directory of that user without the mark was left by a
 * crash between the two calls that create a directory.
 */
final class OwnedDirectories {
  static final String MARK = "user.raid.owner";
  private static final byte[] MARK_VALUE = "hdfs-raid".getBytes(StandardCharsets.US_ASCII);

  /** {@code parity/<hex>}: the deepest directories. */
  private static final int LEVELS_BELOW_ROOT = 2;

  private final DFSClient client;
  private final String user;

  OwnedDirectories(DFSClient client, String user) {
    this.client = client;
    this.user = user;
  }

  /**
   * Creates the directory, or takes over an empty one of the daemon's user. Its parent must exist:
   * a root that was moved away must not come back as a by-product.
   *
   * @throws RefusedException if something else is at the path
   */
  void ensure(String path, FsPermission permission, Writer writer) throws IOException {
    boolean withParents = false;
    ensure(path, permission, writer, withParents);
  }

  /** Ensures as {@link #ensure} does, and creates the directories above it, too. */
  void ensureRoot(String path, FsPermission permission, Writer writer) throws IOException {
    boolean withParents = true;
    ensure(path, permission, writer, withParents);
  }

  private void ensure(String path, FsPermission permission, Writer writer, boolean withParents)
      throws IOException {
    HdfsFileStatus there = client.getFileInfo(path);
    if (there == null) {
      writer.get().mkdirs(path, permission, withParents);
    } else if (isOurs(path, there)) {
      return;
    } else {
      Optional<String> occupant = occupant(path, there);
      if (occupant.isPresent()) {
        throw new RefusedException(occupant.get());
      }
    }
    writer.get().setPermission(path, permission); // mkdirs is subject to the umask
    mark(path, writer.get());
  }

  /**
   * Describes what occupies the path; empty if the path is free or holds a directory of this
   * product.
   */
  Optional<String> occupant(String path) throws IOException {
    HdfsFileStatus there = client.getFileInfo(path);
    return there == null || isOurs(path, there) ? Optional.empty() : occupant(path, there);
  }

  private Optional<String> occupant(String path, HdfsFileStatus there) throws IOException {
    return isAbandoned(path, there) || holdsOurs(path, there, LEVELS_BELOW_ROOT)
        ? Optional.empty()
        : Optional.of(
            "%s is not ours (owner %s, %s%s): choose another root for the parity, or empty it and chown it to %s"
                .formatted(
                    path,
                    there.getOwner(),
                    there.isDirectory() ? "a directory" : "a file",
                    isMarked(path) ? " with our mark" : "",
                    user));
  }

  private void mark(String path, DFSClient writer) throws IOException {
    try {
      writer.setXAttr(
          path, MARK, MARK_VALUE, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    } catch (IOException e) {
      throw explained(e);
    }
  }

  private static IOException explained(IOException e) {
    return String.valueOf(e.getMessage()).contains("dfs.namenode.xattrs.enabled")
        ? new RefusedException(
            "Parity needs extended attributes, which are off: set dfs.namenode.xattrs.enabled to"
                + " true on the NameNode")
        : e;
  }

  /**
   * Whether a directory of the daemon's user that lacks the mark has directories with the mark
   * below it: parity was written there after the root had been moved away.
   */
  private boolean holdsOurs(String path, HdfsFileStatus there, int levels) throws IOException {
    if (levels == 0 || !there.isDirectory() || !there.getOwner().equals(user)) {
      return false;
    }
    for (HdfsFileStatus entry :
        client.listPaths(path, HdfsFileStatus.EMPTY_NAME).getPartialListing()) {
      String below = entry.getFullName(path);
      if (isOurs(below, entry) || holdsOurs(below, entry, levels - 1)) {
        return true;
      }
    }
    return false;
  }

  boolean isOurs(String path) throws IOException {
    HdfsFileStatus there = client.getFileInfo(path);
    return there != null && isOurs(path, there);
  }

  /** Whether the file is in a directory of this product and owned by the daemon's user. */
  boolean isOurFile(String directory, HdfsFileStatus file) throws IOException {
    return file.isFile() && file.getOwner().equals(user) && isOurs(directory);
  }

  private boolean isOurs(String path, HdfsFileStatus there) throws IOException {
    return there.isDirectory() && there.getOwner().equals(user) && isMarked(path);
  }

  /** Whether the directory was created by this product but not marked yet. */
  boolean isAbandoned(String path, HdfsFileStatus there) throws IOException {
    return there.isDirectory()
        && there.getOwner().equals(user)
        && !isMarked(path)
        && client.listPaths(path, HdfsFileStatus.EMPTY_NAME).getPartialListing().length == 0;
  }

  /**
   * Whether a directory right below the drafts carries the mark, whoever owns it: a crash has left
   * it with the user to whom it was lent. Only this product can create entries there.
   */
  boolean isLent(String path, HdfsFileStatus there) throws IOException {
    return there.isDirectory() && isMarked(path);
  }

  private boolean isMarked(String path) throws IOException {
    try {
      return client.getXAttrs(path).containsKey(MARK);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  String user() {
    return user;
  }
}
