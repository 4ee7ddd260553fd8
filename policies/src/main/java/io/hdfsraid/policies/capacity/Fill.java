package io.hdfsraid.policies.capacity;

/**
 * How full a space is, in bytes on disks, all replicas counted.
 *
 * @param used what is occupied now
 * @param total what there is; 0 where nobody knows, or where there is no quota
 * @param leaving what is occupied now and will not be, without anything more being chosen: what
 *     raiding the files chosen already will save, and replicas that are to be deleted and are not
 *     deleted yet
 */
public record Fill(long used, long total, long leaving) {
  public Fill {
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
  public Fill choosing(long saving) {
    return new Fill(used, total, leaving + saving);
  }

  /** Of what will be occupied; 0 where the whole is not known. */
  double percent() {
    return total == 0 ? 0 : 100.0 * settled() / total;
  }
}
