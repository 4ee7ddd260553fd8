package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.namespace.NodeState;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** How many units of a stripe a rack has to hold at least, somewhere. */
public final class RackLimit {
  private RackLimit() {}

  /**
   * The smallest limit with which the units fit, one on each node in service: ⌈units / racks⌉ when
   * the racks are of a size, more when some have too few nodes. As small as it can be, hence never
   * more than the code bears when there are racks enough for that.
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
