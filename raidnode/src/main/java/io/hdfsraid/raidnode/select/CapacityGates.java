// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.capacity.CapacityGate;
import io.hdfsraid.policies.capacity.CapacityRule;

/** Tells which policies would make room now. */
@FunctionalInterface
public interface CapacityGates {
  /** Returns the gate of a policy by how full its space is now, and changes nothing. */
  CapacityGate now(Policy policy, CapacityRule rule);

  /** Returns a closed gate, for a space whose use cannot be found out. */
  static CapacityGate unknown(CapacityRule rule, Exception because) {
    return new CapacityGate(
        rule,
        CapacityGate.State.RESTING,
        "It cannot be found out how full %s is: %s".formatted(rule.space(), because.getMessage()));
  }
}
