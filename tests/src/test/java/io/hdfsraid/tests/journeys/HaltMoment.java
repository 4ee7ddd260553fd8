// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import java.util.Optional;

/** Moments in the middle of what takes long, between the steps that are announced. */
enum HaltMoment {
  /** A byte in the middle of the second block that is read for encoding. */
  SOURCE_BYTE,
  /** A byte in the middle of a parity unit, of which a part is with its DataNode. */
  PARITY_BYTE,
  /** The target of a move has the replica, and the NameNode still lists both places. */
  MOVE_WAIT(MoveStep.COPIED),
  /** Replication is raised, and the replicas are being made. */
  UNRAID_WAIT(UnraidStep.RAISED);

  /** How much of the second block, and of a parity unit, has passed. */
  static final int BYTE = Journey.BLOCK + Journey.BLOCK / 2 + 1;

  private final Optional<Enum<?>> after;

  HaltMoment() {
    this.after = Optional.empty();
  }

  HaltMoment(Enum<?> after) {
    this.after = Optional.of(after);
  }

  /** The step after which the NameNode is asked again and again; the moment is the first time. */
  Optional<Enum<?>> after() {
    return after;
  }
}
