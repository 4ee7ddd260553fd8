// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The stream that applications get. It is an {@link HdfsDataInputStream}, because some applications
 * require one. Its bytes come from a {@link RaidInputStream}, and its information about blocks
 * comes from HDFS.
 */
final class RaidDataInputStream extends HdfsDataInputStream {
  private final HdfsDataInputStream hdfs;
  private final Readahead readahead;

  private RaidDataInputStream(
      DFSInputStream wrapped, HdfsDataInputStream hdfs, RaidInputStream bytes) {
    super(wrapped);
    this.hdfs = hdfs;
    this.in = bytes;
    this.readahead = bytes.readahead();
  }

  private RaidDataInputStream(
      CryptoInputStream wrapped, HdfsDataInputStream hdfs, RaidInputStream bytes) {
    super(wrapped);
    this.hdfs = hdfs;
    this.in = bytes;
    this.readahead = bytes.readahead();
  }

  /** How far this stream rebuilds ahead of its reader. */
  Readahead readahead() {
    return readahead;
  }

  static RaidDataInputStream of(HdfsDataInputStream hdfs, RaidInputStream bytes) {
    InputStream wrapped = hdfs.getWrappedStream();
    return wrapped instanceof CryptoInputStream encrypted
        ? new RaidDataInputStream(encrypted, hdfs, bytes)
        : new RaidDataInputStream((DFSInputStream) wrapped, hdfs, bytes);
  }

  @Override
  public InputStream getWrappedStream() {
    return hdfs.getWrappedStream();
  }

  @Override
  public DatanodeInfo getCurrentDatanode() {
    return hdfs.getCurrentDatanode();
  }

  @Override
  public ExtendedBlock getCurrentBlock() {
    return hdfs.getCurrentBlock();
  }

  @Override
  public List<LocatedBlock> getAllBlocks() throws IOException {
    return hdfs.getAllBlocks();
  }

  @Override
  public long getVisibleLength() {
    return hdfs.getVisibleLength();
  }

  @Override
  public ReadStatistics getReadStatistics() {
    return hdfs.getReadStatistics();
  }

  @Override
  public void clearReadStatistics() {
    hdfs.clearReadStatistics();
  }
}
