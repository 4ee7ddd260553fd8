package io.hdfsraid.blockfixer.detect;

import java.io.IOException;
import java.util.List;

/** The NameNode's list of blocks that have no good replica. */
public interface LossReports {

  /**
   * The whole list, each block once, read to its end before anything is returned: the NameNode
   * pages by an index into a live queue, so acting on one page makes the next skip entries.
   */
  List<LostBlock> read() throws IOException;
}
