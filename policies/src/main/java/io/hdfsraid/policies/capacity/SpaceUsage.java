// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.capacity;

/**
 * The usage of a space, in bytes on disks, all replicas counted.
 *
 * @param used bytes occupied now
 * @param total size of the space; 0 if unknown or without a quota
 * @param leaving bytes that will become free without further raiding: the savings of files that are
 *     already chosen, and replicas that HDFS has yet to delete
 */
public record SpaceUsage(long used, long total, long leaving) {
  public SpaceUsage {
    if (used < 0 || total < 0 || leaving < 0) {
      throw new IllegalArgumentException(
          "No space has used=%d, total=%d, leaving=%d".formatted(used, total, leaving));
    }
  }

  /** Returns the bytes that will be occupied once the leaving bytes are free. */
  public long settled() {
    return Math.max(0, used - leaving);
  }

  /** This fill after some more was chosen that will save so much. */
  public SpaceUsage choosing(long saving) {
    return new SpaceUsage(used, total, leaving + saving);
  }

  /** Of what will be occupied; 0 where the whole is not known. */
  double percent() {
    return total == 0 ? 0 : 100.0 * settled() / total;
  }
}
