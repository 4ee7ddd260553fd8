// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

/**
 * On whose behalf a stripe is repaired, and under which condition.
 *
 * @param furtherLosses the stripe is repaired only if it tolerates at most this many further losses
 * @param asked whether an operator asked for the repair. It then does not wait for nodes that may
 *     return
 * @param by who repairs, for the history
 */
record RepairOrder(int furtherLosses, boolean asked, String by) {
  /** The limit of an order for stripes at risk: one more loss may be one too many for them. */
  static final int AT_RISK = 0;

  /** The limit of an order for all stripes. */
  static final int ALL = Integer.MAX_VALUE;

  static RepairOrder scheduled(int furtherLosses) {
    return new RepairOrder(furtherLosses, false, "repair job");
  }

  static RepairOrder asked(String by) {
    return new RepairOrder(ALL, true, by);
  }
}
