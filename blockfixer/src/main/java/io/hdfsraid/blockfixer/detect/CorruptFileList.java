// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import java.io.IOException;
import java.util.Map;

/** The NameNode's list of files with blocks that have no good replica. */
@FunctionalInterface
public interface CorruptFileList {

  /**
   * Returns the number of lost blocks for each path. The whole list is read before anything is
   * returned: the NameNode pages by an index into a live queue, so acting on one page would make
   * the next page skip entries. The list does not name the blocks. A path can be stale, because a
   * block that only a snapshot holds is listed under the former path of its file.
   */
  Map<String, Integer> files() throws IOException;
}
