package io.hdfsraid.blockfixer.placement;

/** How a move ended. */
public sealed interface MoveOutcome {
  Move move();

  /** The NameNode lists the unit at its new place and not at the old one. */
  record Moved(Move move) implements MoveOutcome {}

  /** Not moved, or not yet seen to be; to be audited again. */
  record Postponed(Move move, String reason) implements MoveOutcome {}
}
