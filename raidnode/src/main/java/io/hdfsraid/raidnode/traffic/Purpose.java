package io.hdfsraid.raidnode.traffic;

/** The purpose of a transfer. Each purpose has rates of its own. */
public enum Purpose {
  RAIDING,
  REPAIR,
  /** Of stripes that bear no further loss. */
  URGENT_REPAIR,
  /** Moving units, DataNode to DataNode: no byte passes through the daemon. */
  MOVES,
  /** Reading what nobody has asked for, to see whether it is still what was recorded. */
  SCRUB
}
