package io.hdfsraid.raidnode.traffic;

/** What bytes are transferred for; each has rates of its own. */
public enum Purpose {
  RAIDING,
  REPAIR,
  /** Moving units, DataNode to DataNode: no byte passes through the daemon. */
  MOVES
}
