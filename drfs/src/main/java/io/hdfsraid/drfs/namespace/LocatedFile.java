// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * A file and its blocks as the NameNode showed them in one answer. The answer may be outdated as
 * soon as it is returned.
 *
 * @param path the path of the request; a {@code /.reserved/.inodes} path if the file was requested
 *     by inode id
 * @param inode the inode id, which a rename does not change
 * @param accessed the access time that HDFS records, at the precision of HDFS
 * @param mode permission bits, e.g. {@code 0640}
 * @param underConstruction whether the file is open for writing or its last block is not complete
 * @param striped whether the file uses HDFS's own striped erasure coding
 * @param encrypted whether the file is inside an encryption zone
 * @param storagePolicy HDFS's storage policy id, 0 when unspecified
 * @param blocks in order; empty for an empty file
 */
public record LocatedFile(
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
  public LocatedFile {
    Objects.requireNonNull(path, "path");
    blocks = List.copyOf(blocks);
  }

  /** Returns the blocks that make up the content of this file. Equal lists mean equal content. */
  public List<Block> contents() {
    return blocks.stream().map(LocatedBlock::block).toList();
  }

  public FileVersion version() {
    return new FileVersion(inode, length, modified);
  }

  /**
   * Returns the blocks without the last block of a file that is being written, whose length is not
   * known.
   */
  public List<LocatedBlock> completeBlocks() {
    return underConstruction() && !blocks.isEmpty() ? blocks.subList(0, blocks.size() - 1) : blocks;
  }

  /** Whether any block has no good replica. */
  public boolean hasLostBlocks() {
    return blocks.stream().anyMatch(LocatedBlock::isLost);
  }
}
