// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import java.time.Instant;
import java.util.Set;

/**
 * Blocks that an administrator has given up, because nothing could rebuild them: the parity need
 * not wait for them. Other blocks of the same file that are lost later are not among them.
 *
 * @param ids ids of the blocks; at most {@link #MOST}
 * @param confirmed when it was last found that nothing could rebuild them; {@link Instant#EPOCH} if
 *     there are none
 */
public record AbandonedBlocks(Set<Long> ids, Instant confirmed) {
  /** The most ids: they fit into one extended attribute of HDFS if they have 14 digits each. */
  public static final int MOST = 1_000;

  public static final AbandonedBlocks NONE = new AbandonedBlocks(Set.of(), Instant.EPOCH);

  public AbandonedBlocks {
    ids = Set.copyOf(ids);
    if (ids.size() > MOST) {
      throw new IllegalArgumentException(
          "%d blocks cannot be abandoned with one parity, at most %d can"
              .formatted(ids.size(), MOST));
    }
  }
}
