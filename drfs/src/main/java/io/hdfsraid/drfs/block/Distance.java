package io.hdfsraid.drfs.block;

/** How far a DataNode is from who reads or writes, nearest first. */
public enum Distance {
  SAME_NODE,
  SAME_RACK,
  OFF_RACK,
  /** Another machine, and the rack of this one is not known. */
  RACK_UNKNOWN
}
