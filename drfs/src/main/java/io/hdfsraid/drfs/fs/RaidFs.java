// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFs;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.OpenFileParameters;

/**
 * HDFS for {@code FileContext}, with the degraded reads of the {@link DistributedRaidFileSystem}.
 * Everything but reading is done by HDFS's own {@link Hdfs}. Enabled by {@code
 * fs.AbstractFileSystem.hdfs.impl}.
 */
public final class RaidFs extends FilterFs {
  private static final String IMPLEMENTATION = "fs.AbstractFileSystem.hdfs.impl";

  private final DistributedRaidFileSystem raid = new DistributedRaidFileSystem();

  /** Called by Hadoop, by reflection. */
  public RaidFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(hdfs(uri, conf));
    raid.initialize(uri, conf);
  }

  private static AbstractFileSystem hdfs(URI uri, Configuration conf) throws IOException {
    Configuration client = ReadRetryPolicy.without(conf);
    client.setClass(IMPLEMENTATION, Hdfs.class, AbstractFileSystem.class);
    return AbstractFileSystem.createFileSystem(uri, client);
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    return raid.throughLosses(super.open(path), getUriPath(path), getStatistics());
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return raid.throughLosses(super.open(path, bufferSize), getUriPath(path), getStatistics());
  }

  @Override
  public CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    String absolute = getUriPath(path);
    return super.openFileWithOptions(path, parameters)
        .thenApply(
            opened ->
                DistributedRaidFileSystem.following(
                    parameters.getOptions(),
                    raid.throughLosses(opened, absolute, getStatistics())));
  }

  @Override
  public FileChecksum getFileChecksum(Path path) throws IOException {
    // Without the port, which FileContext adds to the name of a nameservice.
    return raid.getFileChecksum(new Path(getUriPath(path)));
  }

  /** Page by page, as HDFS gives it. */
  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    checkPath(path);
    return getMyFs().listStatusIterator(path);
  }
}
