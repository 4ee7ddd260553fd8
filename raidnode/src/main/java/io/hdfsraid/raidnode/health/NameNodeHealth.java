// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.drfs.namespace.Namespace;
import java.io.IOException;

/** Checks that the NameNode answers and knows live DataNodes. */
public final class NameNodeHealth extends HealthCheck {
  private final Namespace namespace;

  public NameNodeHealth(Namespace namespace) {
    this.namespace = namespace;
  }

  @Override
  protected Result check() {
    try {
      int nodes = namespace.nodes().size();
      return nodes > 0
          ? Result.healthy("%d live DataNodes", nodes)
          : Result.unhealthy("The NameNode answers, but knows no live DataNode");
    } catch (IOException e) {
      return Result.unhealthy("The NameNode does not answer: " + e.getMessage());
    }
  }
}
