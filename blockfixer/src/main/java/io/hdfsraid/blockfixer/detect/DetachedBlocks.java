// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Blocks that the file for which they were recorded does not contain any more: it was deleted or
 * changed. A snapshot may still hold them, and a concat moves them into another file.
 */
public interface DetachedBlocks {
  /** For callers that cannot ask: any block may exist, and nobody knows where. */
  DetachedBlocks UNKNOWN =
      new DetachedBlocks() {
        @Override
        public Set<Long> existing(Collection<Long> blockIds) {
          return Set.copyOf(blockIds);
        }

        @Override
        public Map<Block, LocatedBlock> locate(Collection<Block> blocks) {
          return Map.of();
        }
      };

  /**
   * Returns those blocks that exist or may exist.
   *
   * @throws IOException if there was no clear answer, which proves nothing
   */
  Set<Long> existing(Collection<Long> blockIds) throws IOException;

  /**
   * Returns the replicas of those blocks that a snapshot or another file holds unchanged, with the
   * same generation stamp and length. A block that is left out may exist all the same.
   */
  Map<Block, LocatedBlock> locate(Collection<Block> blocks) throws IOException;
}
