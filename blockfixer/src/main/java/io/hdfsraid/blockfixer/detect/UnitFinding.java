// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Replica;
import java.util.Objects;
import java.util.Optional;

/**
 * A fault that was found in a unit.
 *
 * @param replica the faulty replica; empty if the fault concerns the block as a whole
 * @param message a sentence for users: what was found, where, and what it means
 */
public record UnitFinding(
    int unit,
    Block block,
    Optional<Replica> replica,
    Fault fault,
    DetectionSource source,
    String message) {
  public UnitFinding {
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(replica, "replica");
    Objects.requireNonNull(fault, "fault");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(message, "message");
  }
}
