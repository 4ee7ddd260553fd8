// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

/** Tells failures that belong to a trouble which is already reported. */
@FunctionalInterface
public interface KnownTrouble {
  KnownTrouble NONE = failure -> false;

  /** Returns whether nothing need be said of this failure. May take as long as HDFS does. */
  boolean explains(Throwable failure);

  /** Returns whether the trouble goes on, as far as is known. Answers at once. */
  default boolean isOn() {
    return false;
  }
}
