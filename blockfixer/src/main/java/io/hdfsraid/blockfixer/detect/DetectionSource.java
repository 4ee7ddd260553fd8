// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

/** The source that detected a fault. */
public enum DetectionSource {
  /** The NameNode shows the block without a good replica. */
  NAMENODE,
  /** The DataNode has no replica, or its checksum differs. */
  DATANODE_CHECKSUM,
  /** A read failed. */
  READ,
  /** A scrub has read the replica in full and found it bad. */
  SCRUB
}
