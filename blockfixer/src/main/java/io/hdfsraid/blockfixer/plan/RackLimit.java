// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.namespace.NodeState;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The smallest limit on the units of a stripe in one rack that the cluster allows. */
public final class RackLimit {
  private RackLimit() {}

  /**
   * Returns the smallest limit with which the units fit, one on each node in service: ⌈units /
   * racks⌉ if the racks have equal size, more if some racks have too few nodes. With enough racks
   * the limit never exceeds the number of losses that the code tolerates.
   */
  public static int of(int units, List<NodeState> nodes) {
    Collection<Long> racks =
        nodes.stream()
            .filter(NodeState::inService)
            .collect(Collectors.groupingBy(state -> state.node().rack(), Collectors.counting()))
            .values();
    int limit = 1;
    while (limit < units && placesWithin(limit, racks) < units) {
      limit++;
    }
    return limit;
  }

  private static long placesWithin(int limit, Collection<Long> racks) {
    return racks.stream().mapToLong(size -> Math.min(limit, size)).sum();
  }
}
