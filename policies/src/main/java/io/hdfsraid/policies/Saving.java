// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The space that a file takes on disks before and after raiding, in bytes, all replicas counted.
 *
 * @param before the data now
 * @param after data and parity then
 */
public record Saving(long before, long after) {
  static Saving of(FileFacts file, Protection protection, ParityEstimate estimate) {
    long parity = estimate.parityBytes(protection.codec(), file.length(), file.blockSize());
    return new Saving(
        file.physicalBytes(),
        Math.addExact(
            file.physicalBytes(protection.targetReplication()),
            Math.multiplyExact(parity, (long) protection.parityReplication())));
  }

  /** As {@link #of}, at best, in a group; empty for a file that would be in none. */
  static Optional<Saving> inGroup(FileFacts file, Protection protection, ParityEstimate estimate) {
    OptionalLong share = estimate.shareOfGroup(protection.codec(), file.length(), file.blocks());
    return share.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Saving(
                file.physicalBytes(),
                Math.addExact(
                    file.physicalBytes(protection.targetReplication()),
                    Math.multiplyExact(share.getAsLong(), (long) protection.parityReplication()))));
  }

  /** Negative when it costs space. */
  public long bytes() {
    return before - after;
  }

  boolean isAtLeast(int percent) {
    return bytes() > 0 && (double) bytes() / before >= percent / 100.0;
  }
}
