// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.hdfs.FileChecksums;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.security.AccessControlException;

/**
 * The HDFS client file system with degraded reads: a block that HDFS cannot read is rebuilt from
 * its stripe, as far as the user may read the other units. Without parity, or without permission to
 * read it, this class behaves as plain HDFS.
 *
 * <p>Enabled by {@code fs.hdfs.impl}, or by {@code fs.raid.impl} for paths with the scheme {@code
 * raid}, which otherwise behave as paths with the scheme {@code hdfs}.
 */
public class DistributedRaidFileSystem extends DistributedFileSystem {
  /**
   * Configuration key of the root of the parity; {@value ParitySettings#DEFAULT_ROOT} by default.
   */
  public static final String ROOT = "raid.root";

  /**
   * Configuration key of the network location of this machine, for applications on machines without
   * a DataNode. By default the location of the DataNode on this machine is used.
   */
  public static final String RACK = "raid.rack";

  private static final String HDFS = "hdfs";

  private String scheme = HDFS;
  private DegradedReads degradedReads;

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    scheme = uri.getScheme();
    Configuration client = ReadRetryPolicy.without(conf);
    HdfsNamespace.allowLargeFiles(client);
    super.initialize(withScheme(HDFS, uri), client);
    setConf(conf); // a client that is made from it must keep HDFS's own retries
    degradedReads = new DegradedReads(this, conf);
  }

  private static URI withScheme(String scheme, URI uri) {
    String authority = uri.getRawAuthority();
    return URI.create(scheme + "://" + (authority == null ? "/" : authority));
  }

  @Override
  public String getScheme() {
    return scheme;
  }

  @Override
  public URI getUri() {
    URI uri = super.getUri();
    return uri == null || scheme.equals(HDFS) ? uri : withScheme(scheme, uri);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return throughLosses(
        super.open(path, bufferSize), fixRelativePart(path).toUri().getPath(), statistics);
  }

  @Override
  public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
    HdfsPathHandle hdfs =
        handle instanceof HdfsPathHandle known ? known : new HdfsPathHandle(handle.bytes());
    return throughLosses(super.open(hdfs, bufferSize), hdfs.getPath(), statistics);
  }

  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    return super.openFileWithOptions(path, parameters)
        .thenApply(opened -> following(parameters.getOptions(), opened));
  }

  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      PathHandle handle, OpenFileParameters parameters) throws IOException {
    return super.openFileWithOptions(handle, parameters)
        .thenApply(opened -> following(parameters.getOptions(), opened));
  }

  static FSDataInputStream following(Configuration options, FSDataInputStream opened) {
    if (opened instanceof RaidDataInputStream raid) {
      raid.readahead()
          .follow(
              options.getTrimmedStringCollection(
                  Options.OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY));
    }
    return opened;
  }

  /**
   * Adds degraded reads to a stream of HDFS.
   *
   * @param path absolute; may be an inode path
   * @param bytesRead where rebuilt bytes are counted as read
   */
  FSDataInputStream throughLosses(FSDataInputStream opened, String path, Statistics bytesRead) {
    return opened instanceof HdfsDataInputStream hdfs
        ? degradedReads.of(path, hdfs, bytesRead)
        : opened; // a symbolic link led to another file system
  }

  @Override
  public FileChecksum getFileChecksum(Path path) throws IOException {
    return getFileChecksum(path, Long.MAX_VALUE);
  }

  /** Returns what HDFS computes, also if HDFS cannot because blocks are lost. */
  @Override
  public FileChecksum getFileChecksum(Path path, long length) throws IOException {
    try {
      return super.getFileChecksum(path, length);
    } catch (FileNotFoundException | AccessControlException e) {
      throw e;
    } catch (IOException e) {
      String file = fixRelativePart(path).toUri().getPath();
      try {
        return new FileChecksums(this).of(file, length, degradedReads.stored(file));
      } catch (IOException | IllegalArgumentException degraded) {
        e.addSuppressed(degraded);
        throw e;
      }
    }
  }

  /** Returns the statistics of degraded reads since this file system was opened. */
  public DegradedReadStatistics degradedReads() {
    return degradedReads.statistics();
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (degradedReads != null) {
        degradedReads.close();
      }
    }
  }
}
