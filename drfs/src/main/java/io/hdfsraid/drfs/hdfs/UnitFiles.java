package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Creates the files that parity units are written to: one block, one replica, a favoured node. */
final class UnitFiles {
  private static final FsPermission DAEMON_ONLY = new FsPermission((short) 0600);
  private static final String MIN_BLOCK_SIZE = "dfs.namenode.fs-limits.min-block-size";
  private static final int DEFAULT_MIN_BLOCK_SIZE = 1 << 20;

  /** HDFS wants block sizes that are a multiple of the bytes for each checksum. */
  private static final int CHECKSUM_BYTES = 512;

  private final DistributedFileSystem fileSystem;
  private final FavouredNames favouredNames;
  private volatile long minBlockSize;

  UnitFiles(DistributedFileSystem fileSystem) {
    Configuration conf = fileSystem.getConf();
    this.fileSystem = fileSystem;
    this.favouredNames = new FavouredNames(fileSystem.getClient());
    this.minBlockSize = conf.getLongBytes(MIN_BLOCK_SIZE, DEFAULT_MIN_BLOCK_SIZE);
  }

  /**
   * The preferred block size of a file for a unit of this length: as small as it may be, because a
   * space quota is charged with all of it while the block is written.
   */
  long blockSize(long length) {
    long blockSize = Math.max(length, minBlockSize);
    return (blockSize + CHECKSUM_BYTES - 1) / CHECKSUM_BYTES * CHECKSUM_BYTES;
  }

  FSDataOutputStream create(String path, long length, Optional<DataNode> favoured)
      throws IOException {
    try {
      return create(path, favoured, blockSize(length));
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains(MIN_BLOCK_SIZE)) {
        throw e;
      }
      // The NameNode wants larger blocks than our configuration says; what it is used to will do.
      minBlockSize = fileSystem.getClient().getServerDefaults().getBlockSize();
      return create(path, favoured, blockSize(length));
    }
  }

  private FSDataOutputStream create(String path, Optional<DataNode> favoured, long blockSize)
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
      builder.favoredNodes(new InetSocketAddress[] {favouredNames.of(favoured.get())});
    }
    return builder.build();
  }
}
