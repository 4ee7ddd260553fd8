package io.hdfsraid.raidnode.recency;

import java.io.IOException;
import java.time.Duration;

/** How the NameNode records access times. */
@FunctionalInterface
public interface AccessTimes {
  /**
   * After what time a read is recorded again.
   *
   * @return zero where none is recorded
   */
  Duration precision() throws IOException;
}
