package io.hdfsraid.raidnode.view;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.placement.Move;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.Placement;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidapi.FileHealth;
import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.HealthState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.PlacementReport;
import io.hdfsraid.raidapi.SkewReport;
import io.hdfsraid.raidapi.UnitView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.hdfs.NamespaceListing;
import io.hdfsraid.raidnode.raid.ClusterAccess;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.HealthReports;
import io.hdfsraid.raidnode.rounds.PlacementRound;
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
import java.util.stream.Collectors;

/** How well raided files are, asked of NameNode and DataNodes now. Changes nothing. */
public final class LiveHealth implements HealthReports {
  private static final int MOST_NODES = 100;

  private final Catalog catalog;
  private final ClusterAccess cluster;
  private final IntegrityCheck check;
  private final PlacementAudit audit;
  private final ParityBytes parityBytes;
  private final NamespaceListing listing;
  private final Clock clock;

  public LiveHealth(
      NamespaceListing listing,
      Catalog catalog,
      ClusterAccess cluster,
      IntegrityCheck check,
      PlacementAudit audit,
      ParityBytes parityBytes,
      Clock clock) {
    this.listing = listing;
    this.catalog = catalog;
    this.cluster = cluster;
    this.check = check;
    this.audit = audit;
    this.parityBytes = parityBytes;
    this.clock = clock;
  }

  @Override
  public FsckReport fsck(String below, Paging paging) throws IOException {
    Map<HealthState, Long> counts = new HashMap<>();
    long unreadable = 0;
    List<FileHealth> listed = new ArrayList<>();
    List<FileRecord> files = raided(below);
    for (FileRecord file : files) {
      FileHealth health = of(file);
      counts.merge(health.state(), 1L, Long::sum);
      unreadable += health.unreadableBytes();
      if (health.state() != HealthState.HEALTHY || file.facts().path().equals(below)) {
        listed.add(health);
      }
    }
    listed.sort(
        Comparator.comparing((FileHealth file) -> file.state() != HealthState.UNRECOVERABLE)
            .thenComparing(file -> file.state() != HealthState.UNKNOWN)
            .thenComparingInt(FileHealth::canBear)
            .thenComparing(FileHealth::path));
    Slice<FileHealth> slice = Slice.of(listed, paging);
    return new FsckReport(
        below,
        clock.instant(),
        new FsckReport.Summary(
            counts.getOrDefault(HealthState.HEALTHY, 0L),
            counts.getOrDefault(HealthState.DEGRADED, 0L),
            counts.getOrDefault(HealthState.UNRECOVERABLE, 0L),
            counts.getOrDefault(HealthState.UNKNOWN, 0L),
            unreadable),
        slice.items(),
        slice.next());
  }

  /** How well one file is, every stripe of it. */
  public FileHealth of(FileRecord file) throws IOException {
    Optional<ParityFile> parity = parityOf(file);
    if (parity.isEmpty()) {
      return unknown(file, "Its parity is not where the catalog says it is");
    }
    List<StripeHealth> stripes = check.check(parity.get(), Set.of(file.inode()));
    HealthState worst = HealthState.HEALTHY;
    int canBear = Integer.MAX_VALUE;
    int notHealthy = 0;
    long unreadable = 0;
    List<io.hdfsraid.raidapi.StripeHealth> details = new ArrayList<>();
    String problem = "";
    for (StripeHealth stripe : stripes) {
      HealthState state = HealthState.valueOf(stripe.state().name());
      worst = worse(worst, state);
      canBear = Math.min(canBear, stripe.furtherLosses());
      if (state != HealthState.HEALTHY) {
        notHealthy++;
        problem = problem.isEmpty() ? stripe.message() : problem;
      }
      if (state == HealthState.UNRECOVERABLE) {
        unreadable += lostDataBytes(stripe);
      }
      details.add(view(stripe, state));
    }
    return new FileHealth(
        file.inode(),
        file.facts().path(),
        parity.get().manifest().codec(),
        file.facts().length(),
        worst,
        stripes.isEmpty() ? 0 : canBear,
        stripes.size(),
        notHealthy,
        unreadable,
        details,
        problem);
  }

  /** Its own, or that of the group it is in. */
  private Optional<ParityFile> parityOf(FileRecord file) throws IOException {
    return cluster.parity().find(catalog.groups().groupOf(file.inode()).orElse(file.inode()));
  }

  private static FileHealth unknown(FileRecord file, String problem) {
    return new FileHealth(
        file.inode(),
        file.facts().path(),
        file.parity().map(parity -> parity.codec()).orElse(""),
        file.facts().length(),
        HealthState.UNKNOWN,
        0,
        0,
        0,
        0,
        List.of(),
        problem);
  }

  private static HealthState worse(HealthState one, HealthState other) {
    List<HealthState> order =
        List.of(
            HealthState.HEALTHY,
            HealthState.DEGRADED,
            HealthState.UNKNOWN,
            HealthState.UNRECOVERABLE);
    return order.indexOf(one) >= order.indexOf(other) ? one : other;
  }

  private static long lostDataBytes(StripeHealth stripe) {
    int k = stripe.stripe().codec().shape().dataUnits();
    return stripe.lost().stream()
        .filter(unit -> unit < k)
        .mapToLong(unit -> stripe.stripe().unit(unit).length())
        .sum();
  }

  private static io.hdfsraid.raidapi.StripeHealth view(StripeHealth health, HealthState state) {
    LocatedStripe stripe = health.stripe();
    return new io.hdfsraid.raidapi.StripeHealth(
        stripe.index(),
        state,
        stripe.codec().shape().dataUnits() - stripe.absent().size(),
        stripe.codec().shape().parityUnits(),
        health.lost().stream().boxed().toList(),
        Math.min(health.furtherLosses(), stripe.codec().shape().parityUnits()),
        units(
            stripe,
            unit ->
                health.findings().stream()
                    .filter(finding -> finding.unit() == unit)
                    .map(finding -> finding.message())
                    .collect(Collectors.joining("; "))));
  }

  private interface Remark {
    String on(int unit);
  }

  private static List<UnitView> units(LocatedStripe stripe, Remark remark) {
    List<UnitView> views = new ArrayList<>();
    for (StripeUnit unit : stripe.units()) {
      if (unit.located().isEmpty()) {
        continue;
      }
      LocatedBlock block = unit.located().get();
      Optional<DataNode> node = block.live().stream().map(Replica::node).findFirst();
      views.add(
          new UnitView(
              unit.unit(),
              stripe.codec().shape().isParity(unit.unit()),
              block.block().id(),
              unit.length(),
              state(unit, block),
              node.map(DataNode::address),
              node.map(DataNode::rack),
              remark.on(unit.unit())));
    }
    return views;
  }

  private static UnitView.State state(StripeUnit unit, LocatedBlock block) {
    return switch (unit.standing()) {
      case LIVE, ABSENT -> UnitView.State.LIVE;
      case LOST -> block.corrupt().isEmpty() ? UnitView.State.MISSING : UnitView.State.CORRUPT;
      case CHANGED -> UnitView.State.UNKNOWN;
    };
  }

  @Override
  public PlacementReport placement(String below, Paging paging) throws IOException {
    List<NodeState> nodes = cluster.namespace().nodes();
    List<PlacementReport.StripePlacement> listed = new ArrayList<>();
    Map<DataNode, long[]> unitsOf = new HashMap<>();
    Set<StripeKey> seen = new HashSet<>();
    long stripes = 0;
    long sharing = 0;
    long crowding = 0;
    long unaudited = 0;
    for (FileRecord file : raided(below)) {
      Optional<ParityFile> parity = parityOf(file);
      if (parity.isEmpty()) {
        continue;
      }
      for (LocatedStripe stripe : check.locate(parity.get(), Set.of(file.inode()))) {
        if (!seen.add(new StripeKey(stripe.parityInode(), stripe.index()))) {
          continue; // shown with another member of the group
        }
        Placement placement =
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
            placement.moves().stream().anyMatch(m -> m.reason() == Move.Reason.CROWDED_RACK);
        sharing += shares ? 1 : 0;
        crowding += crowds ? 1 : 0;
        unaudited += file.status() == FileStatus.RAIDED ? 0 : 1;
        if (shares || crowds || file.facts().path().equals(below)) {
          listed.add(view);
        }
      }
    }
    Slice<PlacementReport.StripePlacement> slice = Slice.of(listed, paging);
    return new PlacementReport(
        below,
        clock.instant(),
        new PlacementReport.Summary(stripes, sharing, crowding, unaudited),
        slice.items(),
        fullest(unitsOf),
        PlacementAudits.last(catalog, clock.instant()),
        slice.next());
  }

  @Override
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
        PlacementRound.countedAt(catalog.notes()),
        skew(bytes, SkewReport.NodeBytes::dataBytes),
        skew(bytes, node -> node.dataBytes() + node.parityBytes()),
        bytes);
  }

  /** Nodes that are leaving hold less and less: they say nothing. */
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
        units(stripe, unit -> ""));
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

  /** The files with parity at or below a path. */
  private List<FileRecord> raided(String below) throws IOException {
    List<FileRecord> found = catalog.files().raidedBelow(below);
    if (found.isEmpty() && !listing.exists(below)) {
      throw ApiFailure.notFound("There is nothing at " + below, "Check the path.");
    }
    return found;
  }
}
