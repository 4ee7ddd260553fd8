// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.placement;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.health.UnitReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How the units of stripes are spread over nodes and racks.
 *
 * @param summary counts over all stripes below the path, not only the listed ones
 * @param stripes the stripes whose units share a node or crowd a rack; all stripes if the path is
 *     one file
 * @param nodes number of units on each DataNode, fullest first and bounded
 * @param audit progress of the audit of all stripes; empty if there was none
 * @param next cursor of the following stripes
 */
public record PlacementReport(
    String path,
    Instant checked,
    Summary summary,
    List<StripePlacement> stripes,
    List<NodeUnits> nodes,
    Optional<AuditProgress> audit,
    Optional<String> next) {

  /**
   * Counts over all stripes.
   *
   * @param sharingNode stripes with two units on one node: the loss of the node costs more than one
   *     unit
   * @param crowdingRack stripes that do not survive the loss of one rack, although the cluster has
   *     enough racks
   * @param unaudited stripes that were not audited since their excess replicas were deleted
   */
  public record Summary(long stripes, long sharingNode, long crowdingRack, long unaudited) {
    /** Returns whether no stripe shares a node or crowds a rack. */
    public boolean clean() {
      return sharingNode == 0 && crowdingRack == 0;
    }
  }

  /**
   * The placement of one stripe.
   *
   * @param worstNodeUnits most units on one node; 1 is right
   * @param worstRackUnits most units in one rack
   * @param survivesRackLoss whether the code can rebuild the units of any one rack
   */
  public record StripePlacement(
      long inode,
      String path,
      int stripe,
      int worstNodeUnits,
      int worstRackUnits,
      boolean survivesRackLoss,
      List<UnitReport> units) {
    public StripePlacement {
      units = Absent.toEmpty(units);
    }
  }

  /** Units of raided files on one DataNode. */
  public record NodeUnits(String node, String rack, long dataUnits, long parityUnits) {}

  public PlacementReport {
    stripes = Absent.toEmpty(stripes);
    nodes = Absent.toEmpty(nodes);
    audit = Absent.toEmpty(audit);
    next = Absent.toEmpty(next);
  }
}
