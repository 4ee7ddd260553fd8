package io.hdfsraid.policies.capacity;

/**
 * The usage of a space, in bytes on disks, all replicas counted.
 *
 * @param used what is occupied now
 * @param total what there is; 0 where nobody knows, or where there is no quota
 * @param leaving bytes occupied now that will be free without any further choice: what raiding the
 *     files chosen already will save, and replicas that HDFS has yet to delete
 */
public record SpaceUsage(long used, long total, long leaving) {
  public SpaceUsage {
    if (used < 0 || total < 0 || leaving < 0) {
      throw new IllegalArgumentException(
          "No space has used=%d, total=%d, leaving=%d".formatted(used, total, leaving));
    }
  }

  /** What will be occupied once all has left that is to leave. */
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
