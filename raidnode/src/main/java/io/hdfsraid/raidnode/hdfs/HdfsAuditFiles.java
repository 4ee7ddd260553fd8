// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidnode.audit.AuditFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The files of the audit in a directory below the root, which only the user of the daemon may read.
 * Reading needs no ownership. Safe for concurrent use.
 */
public final class HdfsAuditFiles implements AuditFiles {
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final FsPermission OWNER_ONLY_DIRECTORY = new FsPermission((short) 0700);
  private static final int BUFFER = 64 * 1024;

  private final DistributedFileSystem fs;
  private final Path directory;
  private final Fence fence;
  private boolean removed;

  public HdfsAuditFiles(DistributedFileSystem fs, String root, Fence fence) {
    this.fs = fs;
    this.directory = new Path(ParitySettings.auditDirectory(root));
    this.fence = fence;
  }

  @Override
  public List<Kept> list() throws IOException {
    List<Kept> kept = new ArrayList<>();
    try {
      for (FileStatus file : fs.listStatus(directory)) {
        if (file.isFile() && ParitySettings.isAuditFile(file.getPath().getName())) {
          kept.add(new Kept(file.getPath().getName(), file.getLen()));
        }
      }
    } catch (FileNotFoundException e) {
      return List.of(); // nothing was written yet
    }
    kept.sort(Comparator.comparing(Kept::name));
    return kept;
  }

  @Override
  public byte[] read(String name) throws IOException {
    try (var in = fs.open(file(name))) {
      return in.readAllBytes();
    }
  }

  @Override
  public synchronized void create(String name, byte[] content) throws IOException {
    checkWritable();
    if (fs.getClient().getFileInfo(directory.toUri().getPath()) == null) {
      boolean withParents = false; // a root that was moved away must not come back
      fs.getClient().mkdirs(directory.toUri().getPath(), OWNER_ONLY_DIRECTORY, withParents);
    }
    try (OutputStream out =
        fs.createFile(file(name))
            .permission(OWNER_ONLY)
            .overwrite(false)
            .replicate()
            .replication(fs.getDefaultReplication(directory))
            .build()) {
      out.write(content);
    }
  }

  @Override
  public synchronized void append(String name, byte[] content) throws IOException {
    checkWritable();
    try (OutputStream out = fs.append(file(name), BUFFER)) {
      out.write(content);
    }
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    checkWritable();
    boolean recursive = false;
    boolean unused = fs.delete(file(name), recursive);
  }

  /**
   * Deletes the audit, right before the root is removed. Nothing is written any more.
   *
   * @throws RefusedException if there are other files in the directory, too
   */
  synchronized void remove() throws IOException {
    for (Kept file : list()) {
      delete(file.name());
    }
    if (fs.exists(directory)) {
      if (fs.listStatus(directory).length > 0) {
        throw new RefusedException(
            "%s holds files that are not of the audit, so it was not removed".formatted(directory));
      }
      checkWritable();
      boolean recursive = false;
      boolean unused = fs.delete(directory, recursive);
    }
    removed = true;
  }

  private void checkWritable() throws IOException {
    if (removed) {
      throw new IOException(
          "The audit on HDFS was removed with the root; the log has what follows");
    }
    fence.recheck();
  }

  private Path file(String name) {
    if (!ParitySettings.isAuditFile(name)) {
      throw new IllegalArgumentException("'%s' is no file of the audit".formatted(name));
    }
    return new Path(directory, name);
  }
}
