// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

/** A reason why HDFS refuses to take parity now although the parity itself is correct. */
public enum Obstacle {
  /** The NameNode is in safe mode, or is not the active one. */
  READ_ONLY,
  /** A quota is used up. The NameNode's message names the directory. */
  QUOTA,
  /** No DataNode has room for a block. */
  SPACE
}
