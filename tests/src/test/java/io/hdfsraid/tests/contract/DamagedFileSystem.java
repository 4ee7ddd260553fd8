// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;

/** The file system under test, whose files are damaged right before they are opened. */
public final class DamagedFileSystem extends DistributedRaidFileSystem {
  /** Null for none. Tests and Hadoop create instances by reflection. */
  static volatile Damage damage;

  private void damage(Path path) throws IOException {
    damage(fixRelativePart(path).toUri().getPath());
  }

  static void damage(String path) throws IOException {
    Damage now = damage;
    if (now != null) {
      now.to(path);
    }
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    damage(path);
    return super.open(path, bufferSize);
  }

  @Override
  public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
    damage(new HdfsPathHandle(handle.bytes()).getPath());
    return super.open(handle, bufferSize);
  }

  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    damage(path);
    return super.openFileWithOptions(path, parameters);
  }

  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      PathHandle handle, OpenFileParameters parameters) throws IOException {
    damage(new HdfsPathHandle(handle.bytes()).getPath());
    return super.openFileWithOptions(handle, parameters);
  }
}
