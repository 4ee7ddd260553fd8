package io.hdfsraid.blockfixer.detect;

import java.io.IOException;
import java.util.Map;

/** The NameNode's list of files with blocks that have no good replica. */
@FunctionalInterface
public interface LossReports {

  /**
   * The whole list, read to its end before anything is returned: the NameNode pages by an index
   * into a live queue, so acting on one page makes the next skip entries. So many blocks are lost
   * of each path. Which ones, the file itself tells: a path can be stale, for a block that only a
   * snapshot holds is listed under the path that its file once had.
   */
  Map<String, Integer> files() throws IOException;
}
