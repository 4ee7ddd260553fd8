// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.UnitPlacement;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.UnitMoves;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Separates the parity units of a stripe that share a node. HDFS may have put them there when a
 * favoured node died while they were written. Or a balancer, a decommission or a repair has moved
 * them while the file waited for its reduction or its parity was in quarantine. Parity is neither
 * committed nor built on while its units share a node. Safe for concurrent use.
 */
public final class ParitySeparation {
  private final ClusterAccess cluster;
  private final StripeLocator locator;
  private final PlacementAudit placement;
  private final UnitMoves moving;

  public ParitySeparation(
      ClusterAccess cluster, StripeLocator locator, PlacementAudit placement, UnitMoves moving) {
    this.cluster = cluster;
    this.locator = locator;
    this.placement = placement;
    this.moving = moving;
  }

  /**
   * Returns the parity as it lies afterwards, also where a move was put off: to be proven. Asks and
   * changes nothing when no node holds two parity units of a stripe.
   *
   * @param parity a draft, or committed; the caller holds the claim on it
   * @param members as they are now, by inode id
   */
  public ParityFile separate(ParityFile parity, Map<Long, LocatedFile> members) throws IOException {
    List<LocatedStripe> crowded =
        locator.locate(parity, members).stream().filter(ParitySeparation::isCrowded).toList();
    if (crowded.isEmpty()) {
      return parity;
    }
    List<NodeState> nodes = cluster.namespace().nodes();
    Set<Long> data =
        parity.manifest().stripes().stream()
            .flatMap(stripe -> stripe.data().stream())
            .map(DataUnit::block)
            .map(Block::id)
            .collect(Collectors.toSet());
    moving.carryOut(
        parity,
        crowded.stream()
            // Of the data all replicas stay for now.
            .map(
                stripe ->
                    placement.audit(
                        stripe,
                        parity.manifest().targetReplication(),
                        parity.manifest().parityReplication(),
                        data,
                        nodes))
            .map(ParitySeparation::ofParity)
            .toList());
    return cluster
        .namespace()
        .file(parity.file().inode())
        .map(moved -> new ParityFile(moved, parity.manifest(), parity.phase()))
        .orElse(parity);
  }

  /** Where data lies is for the audit after the reduction, when it is known what stays. */
  private static UnitPlacement ofParity(UnitPlacement place) {
    return new UnitPlacement(
        place.stripe(),
        place.sharesNode(),
        place.moves().stream()
            .filter(move -> place.stripe().codec().shape().isParity(move.unit()))
            .toList(),
        place.notSettled(),
        place.stuck(),
        place.refused());
  }

  /** Two parity units lie on one node. */
  static boolean isCrowded(LocatedStripe stripe) {
    return !crowdedNodes(stripe).isEmpty();
  }

  /** Nodes that hold two parity units, or more. */
  static Set<DataNode> crowdedNodes(LocatedStripe stripe) {
    Set<DataNode> nodes = new HashSet<>();
    Set<DataNode> crowded = new HashSet<>();
    for (StripeUnit unit : stripe.units()) {
      if (stripe.codec().shape().isParity(unit.unit()) && unit.state() == UnitState.LIVE) {
        DataNode node = unit.located().orElseThrow().live().get(0).node();
        if (!nodes.add(node)) {
          crowded.add(node);
        }
      }
    }
    return crowded;
  }
}
