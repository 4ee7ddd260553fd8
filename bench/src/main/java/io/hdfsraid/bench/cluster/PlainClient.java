// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.cluster;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A plain HDFS client for the lower bounds. Its files have one block and one replica, and it asks
 * the NameNode as often as the daemon's client whether a block is complete.
 */
public final class PlainClient implements Closeable {
  private final BenchCluster cluster;
  private final Path directory;
  private final DistributedFileSystem fs;

  /**
   * @param directory for what it writes
   */
  public PlainClient(BenchCluster cluster, Path directory) throws IOException {
    this.cluster = cluster;
    this.directory = directory;
    Configuration tuned = cluster.hdfs().configuration();
    tuned.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    tuned.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12);
    this.fs = (DistributedFileSystem) FileSystem.newInstance(cluster.hdfs().uri(), tuned);
  }

  public FSDataInputStream open(Path file, int buffer) throws IOException {
    return fs.open(file, buffer);
  }

  public FSDataOutputStream create(String name) throws IOException {
    return fs.createFile(new Path(directory, name))
        .permission(FsPermission.getFileDefault())
        .recursive()
        .replication((short) 1)
        .blockSize(cluster.settings().blockBytes())
        .build();
  }

  /** Also waits until the DataNodes have removed the blocks. */
  public void removeFiles() throws IOException {
    cluster.remove(directory);
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
