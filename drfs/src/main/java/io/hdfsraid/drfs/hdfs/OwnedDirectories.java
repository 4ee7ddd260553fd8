package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.RefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Directories that carry our mark. A directory is ours when it has the mark and our user owns it;
 * an empty one of our user without the mark was left by a crash between the two calls that make it.
 */
final class OwnedDirectories {
  static final String MARK = "user.raid.owner";
  private static final byte[] MARK_VALUE = "hdfs-raid".getBytes(StandardCharsets.US_ASCII);

  private final DFSClient client;
  private final String user;

  OwnedDirectories(DFSClient client, String user) {
    this.client = client;
    this.user = user;
  }

  /**
   * Makes the directory, or takes over an empty one of our user.
   *
   * @throws RefusedException when something else is there
   */
  void ensure(String path, FsPermission permission) throws IOException {
    HdfsFileStatus there = client.getFileInfo(path);
    if (there == null) {
      boolean createParents = true;
      client.mkdirs(path, permission, createParents);
    } else if (isOurs(path, there)) {
      return;
    } else if (!isAbandoned(path, there)) {
      throw new RefusedException(
          "%s is not ours (owner %s, %s%s): choose another root for the parity, or empty it and chown it to %s"
              .formatted(
                  path,
                  there.getOwner(),
                  there.isDirectory() ? "a directory" : "a file",
                  isMarked(path) ? " with our mark" : "",
                  user));
    }
    client.setPermission(path, permission); // mkdirs is subject to the umask
    mark(path);
  }

  private void mark(String path) throws IOException {
    try {
      client.setXAttr(
          path, MARK, MARK_VALUE, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("dfs.namenode.xattrs.enabled")) {
        throw new RefusedException(
            "Parity needs extended attributes, which are off: set dfs.namenode.xattrs.enabled to true on the NameNode");
      }
      throw e;
    }
  }

  boolean isOurs(String path) throws IOException {
    HdfsFileStatus there = client.getFileInfo(path);
    return there != null && isOurs(path, there);
  }

  /** The file lies in a directory of ours and our user owns it. */
  boolean isOurFile(String directory, HdfsFileStatus file) throws IOException {
    return file.isFile() && file.getOwner().equals(user) && isOurs(directory);
  }

  private boolean isOurs(String path, HdfsFileStatus there) throws IOException {
    return there.isDirectory() && there.getOwner().equals(user) && isMarked(path);
  }

  /** Made by us, but not marked yet. */
  boolean isAbandoned(String path, HdfsFileStatus there) throws IOException {
    return there.isDirectory()
        && there.getOwner().equals(user)
        && !isMarked(path)
        && client.listPaths(path, HdfsFileStatus.EMPTY_NAME).getPartialListing().length == 0;
  }

  private boolean isMarked(String path) throws IOException {
    return client.getXAttrs(path).containsKey(MARK);
  }

  String user() {
    return user;
  }
}
