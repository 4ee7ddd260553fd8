// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

/** How thoroughly a scrub checks. */
public enum ScrubDepth {
  /**
   * Asks the DataNode of every replica for the checksum. This finds missing, stale and different
   * replicas, and does not see rot.
   */
  PRESENCE("presence", 0),
  /** Every replica is read to its end. */
  DEEP("deep", 1);

  private final String tag;
  private final int number;

  ScrubDepth(String tag, int number) {
    this.tag = tag;
    this.number = number;
  }

  /** Returns the name in logs, metrics and REST answers. */
  public String tag() {
    return tag;
  }

  /** Its place in keys on disk; never changes. */
  int number() {
    return number;
  }

  static ScrubDepth ofNumber(long number) {
    for (ScrubDepth depth : values()) {
      if (depth.number == number) {
        return depth;
      }
    }
    throw new IllegalArgumentException("There is no scrub with number " + number);
  }
}
