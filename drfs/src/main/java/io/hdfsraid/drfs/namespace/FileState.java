package io.hdfsraid.drfs.namespace;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * A file as the NameNode showed it in one answer: stale the moment it is returned.
 *
 * @param path the path it was asked by; a {@code /.reserved/.inodes} path when it was asked by
 *     inode
 * @param inode the inode id, which a rename does not change
 * @param accessed the access time HDFS records, at its precision
 * @param mode permission bits, e.g. {@code 0640}
 * @param underConstruction open for writing, or its last block not complete
 * @param striped written with HDFS's own striped erasure coding
 * @param encrypted inside an encryption zone
 * @param storagePolicy HDFS's storage policy id, 0 when unspecified
 * @param blocks in order; empty for an empty file
 */
public record FileState(
    String path,
    long inode,
    long length,
    long blockSize,
    int replication,
    Instant modified,
    Instant accessed,
    String owner,
    String group,
    int mode,
    boolean underConstruction,
    boolean striped,
    boolean encrypted,
    int storagePolicy,
    List<LocatedBlock> blocks) {
  public FileState {
    Objects.requireNonNull(path, "path");
    blocks = List.copyOf(blocks);
  }

  /** The content of this file is the content of these blocks; equal lists mean equal content. */
  public List<Block> contents() {
    return blocks.stream().map(LocatedBlock::block).toList();
  }

  /** Some block has no good replica. */
  public boolean hasLostBlocks() {
    return blocks.stream().anyMatch(LocatedBlock::isLost);
  }
}
