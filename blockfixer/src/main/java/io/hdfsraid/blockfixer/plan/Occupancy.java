// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The nodes on which the units of a stripe are, or will be. Used by one thread.
 *
 * <p>A lost unit still counts on a node where the NameNode lists a replica, because the node may
 * return with it.
 */
public final class Occupancy {
  private final Map<Integer, Set<DataNode>> nodes = new HashMap<>();

  public static Occupancy of(LocatedStripe stripe) {
    Occupancy occupancy = new Occupancy();
    stripe
        .units()
        .forEach(
            unit ->
                unit.located()
                    .map(LocatedBlock::live)
                    .ifPresent(
                        live ->
                            live.forEach(replica -> occupancy.add(unit.unit(), replica.node()))));
    return occupancy;
  }

  /** Adds a node that holds the unit. */
  public void add(int unit, DataNode node) {
    nodes.computeIfAbsent(unit, none -> new HashSet<>()).add(node);
  }

  /** Moves the unit to this node and removes it from all others. */
  public void move(int unit, DataNode to) {
    nodes.remove(unit);
    add(unit, to);
  }

  /** Returns how many units other than the given one are on the node. */
  public int othersOn(DataNode node, int unit) {
    return (int)
        nodes.entrySet().stream()
            .filter(entry -> entry.getKey() != unit && entry.getValue().contains(node))
            .count();
  }

  /** Returns how many units other than the given one have a replica in the rack. */
  public int othersIn(String rack, int unit) {
    return (int)
        nodes.entrySet().stream()
            .filter(
                entry ->
                    entry.getKey() != unit
                        && entry.getValue().stream().anyMatch(node -> node.rack().equals(rack)))
            .count();
  }
}
