package io.hdfsraid.blockfixer.detect;

import java.io.IOException;
import java.util.Collection;
import java.util.Set;

/** Tells whether blocks still exist in any file or snapshot. */
@FunctionalInterface
public interface BlockExistence {
  /** For callers that cannot ask: any block may exist. */
  BlockExistence UNKNOWN = Set::copyOf;

  /**
   * Returns those blocks that exist or may exist.
   *
   * @throws IOException if there was no clear answer, which proves nothing
   */
  Set<Long> existing(Collection<Long> blockIds) throws IOException;
}
