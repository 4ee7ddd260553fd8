// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.repair.StormBreaker;

/** Checks that repairs do not pause because much has failed at once. */
public final class StormHealth extends HealthCheck {
  private final StormBreaker storms;

  public StormHealth(StormBreaker storms) {
    this.storms = storms;
  }

  @Override
  protected Result check() {
    return storms
        .current()
        .map(
            storm ->
                Result.unhealthy(
                    "Repairs pause, except those of stripes that tolerate no further loss: "
                        + storm.why()))
        .orElseGet(Result::healthy);
  }
}
