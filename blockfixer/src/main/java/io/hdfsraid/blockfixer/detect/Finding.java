package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Replica;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that is wrong with a unit.
 *
 * @param replica the one it was found on; empty when it concerns the block as a whole
 * @param message what, where, and what it means, for people
 */
public record Finding(
    int unit, Block block, Optional<Replica> replica, Fault fault, Source source, String message) {
  public Finding {
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(replica, "replica");
    Objects.requireNonNull(fault, "fault");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(message, "message");
  }
}
