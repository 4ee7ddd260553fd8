package io.hdfsraid.blockfixer.detect;

/** Who noticed. */
public enum Source {
  /** The NameNode shows the block without a good replica. */
  NAMENODE,
  /** The DataNode, asked for the checksum of its replica, has none or another one. */
  DATANODE_CHECKSUM,
  /** A read failed. */
  READ,
  /** A replica was read in full without being needed, and is not what was recorded. */
  SCRUB
}
