package io.hdfsraid.raidnode.traffic;

/** Seen from the daemon. */
public enum Direction {
  READ,
  WRITTEN,
  /** From DataNode to DataNode. */
  MOVED
}
