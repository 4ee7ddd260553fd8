// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.raidnode.raiding.core.FileMarks;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Keeps the mark as an extended attribute of the file. It names the inode id, because DistCp copies
 * such attributes, and the copy was not unraided. The namespace {@code trusted} is for superusers,
 * so users neither see nor change it.
 */
final class HdfsFileMarks implements FileMarks {
  private static final String UNRAIDED = "trusted.raid.unraided";

  private final DistributedFileSystem fs;
  private final Fence fence;

  HdfsFileMarks(DistributedFileSystem fs, Fence fence) {
    this.fs = fs;
    this.fence = fence;
  }

  @Override
  public void mark(long inode) throws IOException {
    fence.recheck();
    try {
      fs.setXAttr(
          path(inode),
          UNRAIDED,
          text(inode),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    } catch (FileNotFoundException e) {
      // deleted meanwhile: nobody raids it again
    }
  }

  @Override
  public void clear(long inode) throws IOException {
    if (isMarked(inode)) {
      fence.recheck();
      fs.removeXAttr(path(inode), UNRAIDED);
    }
  }

  @Override
  public boolean isMarked(long inode) throws IOException {
    Map<String, byte[]> attributes;
    try {
      attributes = InodePath.ask(inode, path -> fs.getXAttrs(new Path(path)));
    } catch (FileNotFoundException e) {
      return false;
    }
    byte[] found = attributes.get(UNRAIDED);
    return found != null && new String(found, StandardCharsets.UTF_8).equals(Long.toString(inode));
  }

  private static byte[] text(long inode) {
    return Long.toString(inode).getBytes(StandardCharsets.UTF_8);
  }

  private static Path path(long inode) {
    return new Path(InodePath.of(inode));
  }
}
