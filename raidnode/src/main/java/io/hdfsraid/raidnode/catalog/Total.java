// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import java.util.Optional;

/**
 * Totals over the files of one kind.
 *
 * @param bytes of the contents
 * @param physicalBytes of all replicas of the contents, as the replication says
 * @param parityBytes of all replicas of the parity
 * @param replicasBefore bytes the contents occupied, or would, at the original replication
 */
public record Total(
    FileState state,
    Optional<Reason> reason,
    long files,
    long bytes,
    long physicalBytes,
    long parityBytes,
    long replicasBefore) {

  public static Total none(FileState state, Optional<Reason> reason) {
    return new Total(state, reason, 0, 0, 0, 0, 0);
  }

  static Total of(FileRecord file) {
    long length = file.facts().length();
    return new Total(
        file.state(),
        file.progress().reason(),
        1,
        length,
        file.facts().physicalBytes(),
        file.parity().map(parity -> parity.bytes() * parity.parityReplication()).orElse(0L),
        file.parity()
            .map(parity -> length * parity.originalReplication())
            .orElse(file.facts().physicalBytes()));
  }

  /** What the files would occupy more at their original replication; 0 for those without parity. */
  public long savedBytes() {
    return replicasBefore - physicalBytes - parityBytes;
  }

  /** This without the other, but nothing below 0. */
  Total lessAtMost(Total other) {
    Total less = plus(-1, other);
    return new Total(
        state,
        reason,
        Math.max(0, less.files),
        Math.max(0, less.bytes),
        Math.max(0, less.physicalBytes),
        Math.max(0, less.parityBytes),
        Math.max(0, less.replicasBefore));
  }

  /** This and the other. */
  public Total plus(Total other) {
    return plus(1, other);
  }

  /** This and, with sign 1 or -1, the other. */
  Total plus(int sign, Total other) {
    return new Total(
        state,
        reason,
        files + sign * other.files,
        bytes + sign * other.bytes,
        physicalBytes + sign * other.physicalBytes,
        parityBytes + sign * other.parityBytes,
        replicasBefore + sign * other.replicasBefore);
  }
}
