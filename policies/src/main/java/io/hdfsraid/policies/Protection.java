// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.util.Objects;

/**
 * The protection that a raided file has instead of its replicas.
 *
 * @param codec name of the erasure code, as the codecs of the library are named
 * @param targetReplication replicas of each data block that stay
 * @param parityReplication replicas of each parity block
 */
public record Protection(String codec, int targetReplication, int parityReplication) {
  /** More than two replicas beside parity save nothing against the usual three. */
  public static final int MAX_TARGET_REPLICATION = 2;

  public static final int MAX_PARITY_REPLICATION = 3;

  public Protection {
    Objects.requireNonNull(codec, "codec");
    if (targetReplication < 1 || targetReplication > MAX_TARGET_REPLICATION) {
      throw new IllegalArgumentException(
          "targetReplication must be 1 to %d, but is %d"
              .formatted(MAX_TARGET_REPLICATION, targetReplication));
    }
    if (parityReplication < 1 || parityReplication > MAX_PARITY_REPLICATION) {
      throw new IllegalArgumentException(
          "parityReplication must be 1 to %d, but is %d"
              .formatted(MAX_PARITY_REPLICATION, parityReplication));
    }
  }
}
