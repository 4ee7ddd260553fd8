// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

/** The direction of a transfer, seen from the daemon. */
public enum Direction {
  READ,
  WRITTEN,
  /** From DataNode to DataNode. */
  MOVED
}
