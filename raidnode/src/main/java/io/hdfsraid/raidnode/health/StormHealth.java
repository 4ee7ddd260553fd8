package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.rounds.StormBreaker;

/** Repairs are not paused because much has failed at once. */
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
                    "Repairs pause, but for stripes that bear no further loss: " + storm.why()))
        .orElseGet(Result::healthy);
  }
}
