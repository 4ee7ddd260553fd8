// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.drfs.namespace.Fence;
import java.io.IOException;

/** Checks that this daemon still owns the cluster. */
public final class OwnerHealth extends HealthCheck {
  private final Fence fence;

  public OwnerHealth(Fence fence) {
    this.fence = fence;
  }

  @Override
  protected Result check() {
    try {
      fence.pass();
      return Result.healthy();
    } catch (IOException e) {
      return Result.unhealthy(e.getMessage());
    }
  }
}
