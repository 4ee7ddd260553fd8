// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

/** The network distance of a DataNode from the process that reads or writes, nearest first. */
public enum Distance {
  SAME_NODE,
  SAME_RACK,
  OFF_RACK,
  /** Another machine; the rack of this machine is not known. */
  RACK_UNKNOWN
}
