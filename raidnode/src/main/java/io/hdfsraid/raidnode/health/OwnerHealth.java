// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.hdfs.Ownership;
import java.util.function.Supplier;

/**
 * Checks that this daemon still owns the cluster, by the last answer of the NameNode: a health
 * check must not wait for a NameNode that hangs.
 */
public final class OwnerHealth extends HealthCheck {
  private final Supplier<Ownership> ownership;

  /**
   * @param ownership answers at once
   */
  public OwnerHealth(Supplier<Ownership> ownership) {
    this.ownership = ownership;
  }

  @Override
  protected Result check() {
    Ownership now = ownership.get();
    return now.state() == Ownership.State.HELD ? Result.healthy() : Result.unhealthy(now.problem());
  }
}
