// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

/** The kind of fault of a unit or of one of its replicas. */
public enum Fault {
  /** The NameNode knows no replica. */
  MISSING(true),
  /** Every replica the NameNode knows is corrupt. */
  CORRUPT(true),
  /** The node answers that it has no such replica, although the NameNode lists it. */
  REPLICA_GONE(true),
  /**
   * The replica's checksum differs from the recorded one: other bytes were written under this
   * block.
   */
  OTHER_CONTENT(true),
  /** The replica's bytes contradict its own checksums. */
  ROTTEN(true),
  /** The node did not answer. This proves no loss, because the node may return. */
  UNREACHABLE(false),
  /** The recorded block is no longer part of its file, or has changed since it was recorded. */
  CHANGED(false),
  /**
   * The recorded block no longer exists in any file or snapshot. Nobody will read it and nothing
   * can be rebuilt from it, so there is nothing to repair.
   */
  DELETED(false);

  private final boolean provesLoss;

  Fault(boolean provesLoss) {
    this.provesLoss = provesLoss;
  }

  /** Whether the fault proves that the replica (or block) is lost. */
  public boolean provesLoss() {
    return provesLoss;
  }
}
