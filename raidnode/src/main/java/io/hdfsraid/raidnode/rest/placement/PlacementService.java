// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.placement;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.UnitMove;
import io.hdfsraid.blockfixer.placement.UnitPlacement;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.placement.PlacementReport;
import io.hdfsraid.raidapi.placement.SkewReport;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.rest.ListPage;
import io.hdfsraid.raidnode.rest.RaidedFiles;
import io.hdfsraid.raidnode.rest.health.HealthRecords;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Reports how units and bytes are spread over DataNodes, as the NameNode shows them now. Changes
 * nothing.
 */
public class PlacementService {
  private static final int MOST_NODES = 100;

  private final RaidedFiles raided;
  private final Catalog catalog;
  private final ClusterAccess cluster;
  private final IntegrityCheck check;
  private final PlacementAudit audit;
  private final ParityBytes parityBytes;
  private final Clock clock;

  public PlacementService(
      RaidedFiles raided,
      Catalog catalog,
      ClusterAccess cluster,
      IntegrityCheck check,
      PlacementAudit audit,
      ParityBytes parityBytes,
      Clock clock) {
    this.raided = raided;
    this.catalog = catalog;
    this.cluster = cluster;
    this.check = check;
    this.audit = audit;
    this.parityBytes = parityBytes;
    this.clock = clock;
  }

  /** Returns the placement of the stripes below a path. */
  public PlacementReport placement(String below, Paging paging) throws IOException {
    List<NodeState> nodes = cluster.namespace().nodes();
    List<PlacementReport.StripePlacement> listed = new ArrayList<>();
    Map<DataNode, long[]> unitsOf = new HashMap<>();
    Set<StripeKey> seen = new HashSet<>();
    long stripes = 0;
    long sharing = 0;
    long crowding = 0;
    long unaudited = 0;
    for (FileRecord file : raided.few(below, "the daily placement audit checks all files")) {
      Optional<ParityFile> parity = parityOf(file);
      if (parity.isEmpty()) {
        continue;
      }
      for (LocatedStripe stripe : check.locate(parity.get(), Set.of(file.inode()))) {
        if (!seen.add(new StripeKey(stripe.parityInode(), stripe.index()))) {
          continue; // shown with another member of the group
        }
        UnitPlacement placement =
            audit.audit(
                stripe,
                parity.get().manifest().targetReplication(),
                parity.get().manifest().parityReplication(),
                nodes);
        PlacementReport.StripePlacement view = view(file, stripe);
        count(stripe, unitsOf);
        stripes++;
        boolean shares = view.worstNodeUnits() > 1;
        boolean crowds =
            placement.moves().stream().anyMatch(m -> m.reason() == UnitMove.Reason.CROWDED_RACK);
        sharing += shares ? 1 : 0;
        crowding += crowds ? 1 : 0;
        unaudited += file.state() == FileState.RAIDED ? 0 : 1;
        if (shares || crowds || file.facts().path().equals(below)) {
          listed.add(view);
        }
      }
    }
    ListPage<PlacementReport.StripePlacement> slice = ListPage.of(listed, paging);
    return new PlacementReport(
        below,
        clock.instant(),
        new PlacementReport.Summary(stripes, sharing, crowding, unaudited),
        slice.items(),
        fullest(unitsOf),
        PlacementAudits.last(catalog, clock.instant()),
        slice.next());
  }

  /** Returns how evenly bytes are spread over all nodes. */
  public SkewReport skew() throws IOException {
    List<SkewReport.NodeBytes> bytes = new ArrayList<>();
    for (NodeState state : cluster.namespace().nodes()) {
      long parity = Math.min(state.used(), parityBytes.on(state.node()));
      bytes.add(
          new SkewReport.NodeBytes(
              state.node().address(),
              state.node().rack(),
              state.inService(),
              state.used() - parity,
              parity,
              state.capacity()));
    }
    bytes.sort(
        Comparator.comparingLong(
                (SkewReport.NodeBytes node) -> -node.dataBytes() - node.parityBytes())
            .thenComparing(SkewReport.NodeBytes::node));
    return new SkewReport(
        clock.instant(),
        PlacementJob.countedAt(catalog.notes()),
        skew(bytes, SkewReport.NodeBytes::dataBytes),
        skew(bytes, node -> node.dataBytes() + node.parityBytes()),
        bytes);
  }

  /**
   * Computes the skew over nodes in service; the bytes of leaving nodes shrink and mean nothing.
   */
  private static double skew(
      List<SkewReport.NodeBytes> nodes, ToLongFunction<SkewReport.NodeBytes> bytes) {
    LongSummaryStatistics held =
        nodes.stream().filter(SkewReport.NodeBytes::inService).mapToLong(bytes).summaryStatistics();
    return held.getSum() == 0 ? 1 : held.getMax() / held.getAverage();
  }

  private static PlacementReport.StripePlacement view(FileRecord file, LocatedStripe stripe) {
    Map<String, UnitSet> byNode = new HashMap<>();
    Map<String, UnitSet> byRack = new HashMap<>();
    for (StripeUnit unit : stripe.units()) {
      for (Replica replica : unit.located().map(LocatedBlock::live).orElse(List.of())) {
        if (replica.inService()) { // on a leaving node it does not count: it is copied elsewhere
          byNode.merge(replica.node().uuid(), UnitSet.of(unit.unit()), UnitSet::plus);
          byRack.merge(replica.node().rack(), UnitSet.of(unit.unit()), UnitSet::plus);
        }
      }
    }
    ToIntFunction<Map<String, UnitSet>> most =
        groups -> groups.values().stream().mapToInt(UnitSet::size).max().orElse(0);
    boolean survives =
        byRack.values().stream().allMatch(units -> stripe.codec().furtherLosses(units) >= 0);
    return new PlacementReport.StripePlacement(
        file.inode(),
        file.facts().path(),
        stripe.index(),
        most.applyAsInt(byNode),
        most.applyAsInt(byRack),
        survives,
        HealthRecords.units(stripe, unit -> ""));
  }

  private static void count(LocatedStripe stripe, Map<DataNode, long[]> unitsOf) {
    for (StripeUnit unit : stripe.units()) {
      int kind = stripe.codec().shape().isParity(unit.unit()) ? 1 : 0;
      for (Replica replica : unit.located().map(LocatedBlock::live).orElse(List.of())) {
        unitsOf.computeIfAbsent(replica.node(), node -> new long[2])[kind]++;
      }
    }
  }

  private static List<PlacementReport.NodeUnits> fullest(Map<DataNode, long[]> unitsOf) {
    return unitsOf.entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<DataNode, long[]> entry) ->
                        -entry.getValue()[0] - entry.getValue()[1])
                .thenComparing(entry -> entry.getKey().address()))
        .limit(MOST_NODES)
        .map(
            entry ->
                new PlacementReport.NodeUnits(
                    entry.getKey().address(),
                    entry.getKey().rack(),
                    entry.getValue()[0],
                    entry.getValue()[1]))
        .toList();
  }

  /** Returns the parity of a file, or of the group that the file is in. */
  private Optional<ParityFile> parityOf(FileRecord file) throws IOException {
    return cluster.parity().find(catalog.groups().groupOf(file.inode()).orElse(file.inode()));
  }
}
