package io.hdfsraid.drfs.parity;

/** Why HDFS takes no parity now though nothing is wrong with it. */
public enum Obstacle {
  /** The NameNode is in safe mode, or is not the active one. */
  READ_ONLY,
  /** A quota is used up; the NameNode says on which directory. */
  QUOTA,
  /** No DataNode has room for a block. */
  SPACE
}
