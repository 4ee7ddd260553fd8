// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import java.io.IOException;

/** Reacts to parity that does not belong to the data that it was recorded for. */
@FunctionalInterface
public interface WrongParity {
  /**
   * Called when such parity was found.
   *
   * @param id the inode id of the raided file, or the id of the group
   * @param why for a person
   * @param by what has found it
   */
  void found(long id, String why, String by) throws IOException;
}
