package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.drfs.namespace.Fence;
import java.io.IOException;

/** This daemon is still the one that may change anything. */
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
