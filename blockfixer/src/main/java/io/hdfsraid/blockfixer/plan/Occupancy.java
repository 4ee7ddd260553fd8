package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes the units of a stripe lie on, or are about to. Used by one thread.
 *
 * <p>A lost unit counts where the NameNode still believes in a replica: the node may come back with
 * it.
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

  /** The unit lies on one more node. */
  public void add(int unit, DataNode node) {
    nodes.computeIfAbsent(unit, none -> new HashSet<>()).add(node);
  }

  /** The unit lies on this node, or will soon, and on no other. */
  public void move(int unit, DataNode to) {
    nodes.remove(unit);
    add(unit, to);
  }

  /** How many units other than the given one lie on the node. */
  public int othersOn(DataNode node, int unit) {
    return (int)
        nodes.entrySet().stream()
            .filter(entry -> entry.getKey() != unit && entry.getValue().contains(node))
            .count();
  }

  /** How many units other than the given one have a replica in the rack. */
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
