package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How the units of stripes are spread.
 *
 * @param summary of all stripes below the path, not only of those listed here
 * @param stripes the ones whose units share a node or crowd a rack; when one file was asked for,
 *     all of its stripes
 * @param nodes how many units each DataNode holds, fullest first and bounded
 * @param audit how far the audit of all stripes has come; empty when there was none
 * @param next cursor of the following stripes
 */
public record PlacementReport(
    String path,
    Instant checked,
    Summary summary,
    List<StripePlacement> stripes,
    List<NodeUnits> nodes,
    Optional<AuditView> audit,
    Optional<String> next) {

  /**
   * Counts over all stripes.
   *
   * @param sharingNode stripes with two units on one node: losing it costs more than one unit
   * @param crowdingRack stripes that do not survive the loss of one rack, although the cluster has
   *     racks enough
   * @param unaudited stripes not looked at since their excess replicas went
   */
  public record Summary(long stripes, long sharingNode, long crowdingRack, long unaudited) {
    /** No stripe shares a node or crowds a rack. */
    public boolean clean() {
      return sharingNode == 0 && crowdingRack == 0;
    }
  }

  /**
   * One stripe.
   *
   * @param worstNodeUnits most units on one node; 1 is right
   * @param worstRackUnits most units in one rack
   * @param survivesRackLoss whether the code rebuilds what is lost with any one rack
   */
  public record StripePlacement(
      long inode,
      String path,
      int stripe,
      int worstNodeUnits,
      int worstRackUnits,
      boolean survivesRackLoss,
      List<UnitView> units) {
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
