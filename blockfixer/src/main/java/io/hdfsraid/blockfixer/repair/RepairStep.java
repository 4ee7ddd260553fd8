// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

/** The steps of a repair, in order; each is announced after it is done. */
public enum RepairStep {
  /** Sources and targets are chosen; nothing has been touched. */
  PLANNED,
  /** All bytes are with the targets and proven; no replica is final yet. */
  REBUILT,
  /**
   * The NameNode no longer trusts replicas that only this process knew to be bad. Skipped if there
   * are none.
   */
  REPORTED,
  /** A DataNode has acknowledged one unit. Announced for each. */
  DELIVERED,
  /** The NameNode lists every rebuilt block at its target. */
  CONFIRMED
}
