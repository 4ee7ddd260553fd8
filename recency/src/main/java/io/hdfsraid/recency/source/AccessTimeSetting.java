// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How the NameNode records access times. */
@FunctionalInterface
public interface AccessTimeSetting {
  /**
   * The answer of the NameNode.
   *
   * @param precision the least time between two recorded reads of a file; zero if reads are not
   *     recorded
   * @param at the time by the clock of the NameNode, to the second; empty if it did not say
   */
  record Answer(Duration precision, Optional<Instant> at) {}

  Answer ask() throws IOException;
}
