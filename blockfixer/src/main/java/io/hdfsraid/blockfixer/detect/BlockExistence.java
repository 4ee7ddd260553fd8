package io.hdfsraid.blockfixer.detect;

import java.io.IOException;
import java.util.Collection;
import java.util.Set;

/** Whether blocks exist at all, in any file or snapshot. */
@FunctionalInterface
public interface BlockExistence {
  /** Where nobody can be asked, any block may exist. */
  BlockExistence UNKNOWN = Set::copyOf;

  /**
   * Those of the blocks that exist, or may.
   *
   * @throws IOException when there was no clear answer, which proves nothing
   */
  Set<Long> existing(Collection<Long> blockIds) throws IOException;
}
