package io.hdfsraid.raidnode.recency;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How the NameNode records access times. */
@FunctionalInterface
public interface AccessTimes {
  /**
   * What it says.
   *
   * @param precision after what time a read is recorded again; zero where none is recorded
   * @param at what its clock showed then, to the second; empty where it does not say
   */
  record Answer(Duration precision, Optional<Instant> at) {}

  Answer ask() throws IOException;
}
