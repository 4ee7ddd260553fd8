// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

/**
 * An HDFS block at one generation stamp. The id alone names the block. The generation stamp and the
 * length say which content is meant.
 */
public record Block(long id, long generationStamp, long length) {
  public Block {
    if (length < 0) {
      throw new IllegalArgumentException(
          "A block has 0 or more bytes, but blk_%d has %d".formatted(id, length));
    }
  }

  /** Returns the form that HDFS uses in its own logs, so that one grep finds both. */
  @Override
  public String toString() {
    return "blk_%d_%d(%d bytes)".formatted(id, generationStamp, length);
  }
}
