// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidapi.nodes.NodesReport.State;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that the NameNode can be worked with and knows live DataNodes, by what the daemon knows
 * already: a health check must not wait for a NameNode that hangs.
 */
public final class NameNodeHealth extends HealthCheck {
  /** A NameNode that collects garbage may be silent for some seconds. */
  static final Duration LONG = Duration.ofSeconds(10);

  private final NameNodeWatch nameNode;
  private final DataNodesWatch dataNodes;
  private final Clock clock;

  public NameNodeHealth(NameNodeWatch nameNode, DataNodesWatch dataNodes, Clock clock) {
    this.nameNode = nameNode;
    this.dataNodes = dataNodes;
    this.clock = clock;
  }

  @Override
  protected Result check() {
    Optional<NameNodeWatch.Outage> outage = nameNode.outage();
    if (outage.isPresent()) {
      return Result.unhealthy(outage.get().sentence(clock.instant()));
    }
    // The question may hang for a minute before the outage is known.
    Optional<Duration> silence = nameNode.unanswered().filter(waited -> waited.compareTo(LONG) > 0);
    if (silence.isPresent()) {
      return Result.unhealthy(
          "The NameNode has not answered for %d s".formatted(silence.get().toSeconds()));
    }
    Optional<DataNodesWatch.Sums> sums = dataNodes.sums();
    if (sums.isEmpty()) {
      return Result.healthy("The DataNodes are counted within a minute");
    }
    long live = live(sums.get().nodes());
    return live > 0
        ? Result.healthy("%d live DataNodes", live)
        : Result.unhealthy("The NameNode answers, but knows no live DataNode");
  }

  private static long live(Map<State, Long> nodes) {
    return nodes.entrySet().stream()
        .filter(state -> state.getKey() != State.DEAD)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
