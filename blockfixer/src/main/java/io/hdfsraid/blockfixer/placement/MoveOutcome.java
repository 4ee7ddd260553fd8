// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

/** The outcome of a move. */
public sealed interface MoveOutcome {
  UnitMove move();

  /** The NameNode lists the unit at its new place and not at the old one. */
  record Moved(UnitMove move) implements MoveOutcome {}

  /** The unit was not moved, or the move is not visible yet. The stripe is audited again. */
  record Postponed(UnitMove move, String reason) implements MoveOutcome {}
}
