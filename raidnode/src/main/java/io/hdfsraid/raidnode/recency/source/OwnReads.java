package io.hdfsraid.raidnode.recency.source;

import java.io.IOException;

/** Opens a file of our own, so that whoever tells of reads must tell of that one. */
@FunctionalInterface
public interface OwnReads {
  /**
   * Returns when the active NameNode has answered.
   *
   * @throws IOException when it has not, or there is no such file
   */
  void open() throws IOException;
}
