// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.parity.ParityFile;

/**
 * Writes down which files may have lower replication from now on, before any is lowered. If the
 * parity is deleted before the outcome was written down, nothing else names these files. Safe for
 * concurrent use.
 */
@FunctionalInterface
public interface Reductions {
  Reductions NONE = parity -> {};

  /** Called with committed parity before the replication of its members is lowered. */
  void begin(ParityFile parity);

  /**
   * Whether the replication of this file was raised again by us, and by no user, because its parity
   * was gone or could not be read.
   */
  default boolean wasUndone(long inode) {
    return false;
  }
}
