// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.parity.UnitOutput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Creates the files of parity units: one block, one replica, on a favored node. Safe for concurrent
 * use.
 */
public final class UnitFiles {
  private static final FsPermission DAEMON_ONLY = new FsPermission((short) 0600);
  private static final String MIN_BLOCK_SIZE = "dfs.namenode.fs-limits.min-block-size";
  private static final int DEFAULT_MIN_BLOCK_SIZE = 1 << 20;

  /** HDFS requires block sizes that are a multiple of the bytes per checksum. */
  private static final int CHECKSUM_BYTES = 512;

  private final DistributedFileSystem fileSystem;
  private final FavoredNodes favouredNames;
  private volatile long minBlockSize;

  /**
   * @param fileSystem the connection of the user who will own the files
   */
  public UnitFiles(DistributedFileSystem fileSystem) {
    Configuration conf = fileSystem.getConf();
    this.fileSystem = fileSystem;
    this.favouredNames = new FavoredNodes(fileSystem.getClient());
    this.minBlockSize = conf.getLongBytes(MIN_BLOCK_SIZE, DEFAULT_MIN_BLOCK_SIZE);
  }

  /**
   * Returns the preferred block size of a file for a unit of this length. It is as small as
   * possible, because a space quota is charged with the whole block size while the block is
   * written.
   */
  long blockSize(long length) {
    long blockSize = Math.max(length, minBlockSize);
    return (blockSize + CHECKSUM_BYTES - 1) / CHECKSUM_BYTES * CHECKSUM_BYTES;
  }

  /** Returns the address, {@code ip:port}, under which to request the node as the favored one. */
  String address(DataNode node) throws IOException {
    return favouredNames.of(node);
  }

  /**
   * Starts a unit.
   *
   * @param length its length; more bytes are refused
   * @param favoured the favored node for its replica, {@code ip:port}
   */
  public UnitOutput open(String path, long length, Optional<String> favoured) throws IOException {
    return new HdfsUnitOutput(create(path, length, favoured), path, length);
  }

  FSDataOutputStream create(String path, long length, Optional<String> favoured)
      throws IOException {
    try {
      return create(path, favoured, blockSize(length));
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains(MIN_BLOCK_SIZE)) {
        throw e;
      }
      // The NameNode requires larger blocks than our configuration says; use its default.
      minBlockSize = fileSystem.getClient().getServerDefaults().getBlockSize();
      return create(path, favoured, blockSize(length));
    }
  }

  private FSDataOutputStream create(String path, Optional<String> favoured, long blockSize)
      throws IOException {
    DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
        fileSystem
            .createFile(new Path(path))
            .permission(DAEMON_ONLY)
            .overwrite(false)
            .replicate()
            .replication((short) 1)
            .blockSize(blockSize);
    if (favoured.isPresent()) {
      builder.favoredNodes(new InetSocketAddress[] {FavoredNodes.parse(favoured.get())});
    }
    return builder.build();
  }
}
