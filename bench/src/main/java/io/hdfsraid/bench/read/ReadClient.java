// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A kind of client, from which applications get their file system. */
final class ReadClient {
  private static final Path ROOT = new Path("/");

  /** HDFS's default, which the embedded cluster shortens. */
  private static final int RETRY_WINDOW_MS = 3_000;

  private final URI uri;
  private final Configuration conf;

  private ReadClient(BenchCluster cluster, Class<? extends DistributedFileSystem> type) {
    this.uri = cluster.hdfs().uri();
    this.conf = cluster.hdfs().configuration();
    conf.set("fs.hdfs.impl", type.getName());
    conf.setInt("dfs.client.retry.window.base", RETRY_WINDOW_MS);
  }

  static ReadClient plain(BenchCluster cluster) {
    return new ReadClient(cluster, DistributedFileSystem.class);
  }

  static ReadClient raid(BenchCluster cluster) {
    return new ReadClient(cluster, DistributedRaidFileSystem.class);
  }

  /** Returns a file system that knows nothing yet and is connected to the NameNode. */
  FileSystem connect() throws IOException {
    FileSystem fs = FileSystem.newInstance(uri, conf);
    fs.getFileStatus(ROOT);
    return fs;
  }
}
