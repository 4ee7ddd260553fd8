package io.hdfsraid.raidapi;

import java.util.Optional;

/**
 * What became of a {@link StormRequest}.
 *
 * @param storm the one that is, or was until now; empty when nothing paused
 * @param overridden whether all repairs go on since
 */
public record StormAnswer(Optional<StormView> storm, boolean overridden) {
  public StormAnswer {
    storm = Absent.toEmpty(storm);
  }
}
