// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policies;
import java.util.function.Function;

/**
 * The policies that hold now. They can be replaced while the daemon works, so a caller with several
 * steps asks once and keeps the answer. Safe for concurrent use.
 */
public final class PoliciesInForce {
  private final Function<Policies, Judge> judges;
  private volatile Rules rules;

  /** Policies, and the judge that applies them. */
  public record Rules(Policies policies, Judge judge) {}

  public PoliciesInForce(Policies first, Function<Policies, Judge> judges) {
    this.judges = judges;
    replace(first);
  }

  /** Puts these policies in force. */
  public void replace(Policies policies) {
    rules = new Rules(policies, judges.apply(policies));
  }

  public Rules now() {
    return rules;
  }

  public Policies policies() {
    return rules.policies();
  }

  public Judge judge() {
    return rules.judge();
  }
}
