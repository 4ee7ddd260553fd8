// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

/** The purpose of a transfer. Each purpose has rates of its own. */
public enum Purpose {
  RAIDING,
  REPAIR,
  /** Repair of stripes that tolerate no further loss. */
  URGENT_REPAIR,
  /** Moving units, DataNode to DataNode: no byte passes through the daemon. */
  MOVES,
  /** Reading replicas to check that they are still as recorded. */
  SCRUB
}
