// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.capacity;

import java.util.Objects;
import java.util.Optional;

/**
 * The thresholds between which a space is kept: above the first, files are raided to make room;
 * below the second, no longer.
 *
 * @param startAbove percent of the space above which raiding begins
 * @param stopBelow percent of the space below which it ends
 * @param directory one with a space quota, whose space it is; empty: that of the cluster
 */
public record CapacityRule(int startAbove, int stopBelow, Optional<String> directory) {
  public CapacityRule {
    Objects.requireNonNull(directory, "directory");
    if (stopBelow < 1 || stopBelow >= startAbove || startAbove > 100) {
      throw new IllegalArgumentException(
          "0 < stopBelow < startAbove <= 100 must hold, but stopBelow is %d and startAbove is %d"
              .formatted(stopBelow, startAbove));
    }
    if (directory.isPresent() && !directory.get().startsWith("/")) {
      throw new IllegalArgumentException(
          "The directory must be an absolute path, but is '" + directory.get() + "'");
    }
  }

  /** Returns whether a file at this path uses the space, so that raiding it frees room there. */
  public boolean covers(String path) {
    return directory.isEmpty()
        || path.startsWith(directory.get().endsWith("/") ? directory.get() : directory.get() + "/");
  }

  /** For people: whose space it is. */
  public String space() {
    return directory.map(path -> "the quota of " + path).orElse("the cluster");
  }

  @Override
  public String toString() {
    return "above %d %% of %s, until below %d %%".formatted(startAbove, space(), stopBelow);
  }
}
