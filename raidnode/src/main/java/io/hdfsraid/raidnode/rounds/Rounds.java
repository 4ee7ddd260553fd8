package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.placement.MoveSlots;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.RefusedMoves;
import io.hdfsraid.blockfixer.placement.UnitMover;
import io.hdfsraid.blockfixer.plan.NodeCost;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.plan.TargetChoice;
import io.hdfsraid.blockfixer.repair.Patience;
import io.hdfsraid.blockfixer.repair.RepairLimits;
import io.hdfsraid.blockfixer.repair.StallLimit;
import io.hdfsraid.blockfixer.repair.StripeRepairer;
import io.hdfsraid.blockfixer.repair.StripesInWork;
import io.hdfsraid.blockfixer.scrub.BadCopies;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.Hedge;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.raid.Cluster;
import io.hdfsraid.raidnode.raid.ClusterAccess;
import io.hdfsraid.raidnode.raid.CodecEstimate;
import io.hdfsraid.raidnode.raid.Pipelines;
import io.hdfsraid.raidnode.recency.Recency;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** All rounds of one daemon, wired to one cluster and one catalog. Closing it ends its threads. */
public final class Rounds implements AutoCloseable {
  /** An encoding or a repair reads k units and writes m at once; codes are rarely wider. */
  private static final int IO_THREADS_PER_WORKER = 24;

  private final Cluster cluster;
  private final Traffic traffic;
  private final Map<Threads, ToIntFunction<Tuning>> threads = new LinkedHashMap<>();
  private final StallLimit stalls;
  private final Hedge hedge;
  private final PoliciesInForce policies;
  private final Recency recency;
  private final Pipelines pipelines;
  private final PlacementAudit placement;
  private final IntegrityCheck check;
  private final ScanRound scan;
  private final RaidRound raid;
  private final AttendRound attend;
  private final ReheatRound reheat;
  private final QuarantineRound quarantine;
  private final IntegrityRound integrity;
  private final SilentNodesRound silentNodes;
  private final RollCallRound rollCall;
  private final PlacementRound placementAudit;
  private final ParityBytes parityBytes;
  private final StormBreaker storms;
  private final ScrubRound presenceScrub;
  private final ScrubRound deepScrub;
  private final RepairRound repair;
  private final CleanUpRound cleanUp;
  private final Intent intent;
  private final WorkingHours hours;
  private final CapacityGates capacity;
  private volatile int intensity = 100;
  private volatile int moves;
  private volatile Tuning tuning;
  private final WithdrawalRound withdrawal;

  /** Wires the rounds; nothing runs until one of them is called. */
  public Rounds(
      Cluster cluster,
      Catalog catalog,
      Policies policies,
      RoundSettings settings,
      RaidEvents events,
      StepListener steps,
      Clock clock) {
    this(cluster, catalog, policies, settings, events, steps, clock, Traffic::nodeCost);
  }

  /**
   * Likewise, with a preference for helpers of one's own.
   *
   * @param helpers which of equally long units repairs had better read, as far as the traffic tells
   */
  public Rounds(
      Cluster cluster,
      Catalog catalog,
      Policies policies,
      RoundSettings settings,
      RaidEvents events,
      StepListener steps,
      Clock clock,
      Function<Traffic, NodeCost> helpers) {
    Tuning tuning = settings.tuning();
    this.tuning = tuning;
    this.moves = tuning.moves().workers();
    this.stalls = new StallLimit(settings.dataNodeTimeout());
    this.hedge = new SlowHelpers(stalls, () -> this.tuning.hedgeAfter(), events);
    ExecutorService raiding = threads("raid-work", tuning, Rounds::raidWorkers);
    ExecutorService repairing = threads("raid-repair", tuning, Rounds::repairWorkers);
    ExecutorService urgent = threads("raid-urgent", tuning, Rounds::repairWorkers);
    // Pools of their own: a round of raiding may last for hours, and what is reduced must not wait.
    ExecutorService attending = threads("raid-attend", tuning, Rounds::raidWorkers);
    ExecutorService checking = threads("raid-check", tuning, Rounds::repairWorkers);
    Workers reporting = new Workers(threads("raid-report", tuning, Rounds::repairWorkers));
    ExecutorService moves = threads("raid-move", tuning, now -> now.moves().workers());
    // Likewise: no repair waits behind what is encoded or checked.
    ExecutorService raidIo = ioThreads("raid-work-io", tuning, Rounds::raidWorkers);
    ExecutorService repairIo = ioThreads("raid-repair-io", tuning, Rounds::repairWorkers);
    ExecutorService urgentIo = ioThreads("raid-urgent-io", tuning, Rounds::repairWorkers);
    ExecutorService checkIo = ioThreads("raid-check-io", tuning, Rounds::repairWorkers);

    this.cluster = cluster;
    ClusterAccess access = cluster.access();
    this.traffic = new Traffic(tuning, settings.vantage(), events);
    cluster.calls().set(tuning.nameNodeCallsPerSecond());
    // A DataNode reports a new replica within milliseconds.
    Patience patience =
        Patience.soon(Duration.ofMillis(10), settings.patience(), Duration.ofMillis(100));
    StripesInWork stripesInWork = new StripesInWork();
    TargetChoice targets = new TargetChoice(new Random(clock.millis()));
    StripeLocator locator = new StripeLocator(Codecs::parse);

    this.parityBytes = new ParityBytes();
    RefusedMoves refused = new RefusedMoves(clock);
    this.placement = new PlacementAudit(parityBytes, refused, new Random(clock.millis()));
    UnitMover mover =
        new UnitMover(
            traffic.moves(cluster.mover()),
            access.fence(),
            stripesInWork,
            patience,
            new MoveSlots(() -> this.moves, settings::movesPerNode),
            refused,
            parityBytes,
            steps);
    this.pipelines =
        Pipelines.of(
            access,
            placement,
            new ParityNodes(parityBytes),
            mover,
            raidIo,
            moves,
            traffic,
            new RowMemory(settings.rowMemory()),
            new GroupNotes(catalog.groups()),
            settings.limits(),
            clock,
            steps);

    ScrubFaults faults =
        new ScrubFaults(
            catalog.rotten(),
            // What is found bad is read again on the way to its repair, also of stripes at risk.
            new Scrubber(traffic.reads(Purpose.URGENT_REPAIR, stalls.reads(access.dataNodes()))),
            clock);
    this.check =
        new IntegrityCheck(
            access.namespace(),
            locator,
            stalls.reads(access.dataNodes()),
            faults,
            ids -> access.holders().holders(ids).keySet(),
            checkIo);
    RepairPlanner planner = new RepairPlanner(access.namespace(), targets, helpers.apply(traffic));
    RepairLimits repairLimits = new RepairLimits(settings.repairAttempts(), patience);
    // Each has memory of its own: no repair waits for what is being raided, and none of a stripe at
    // risk for one that is throttled. What is at risk is little, so half as much will do.
    StripeRepairer repairer =
        repairer(
            Purpose.REPAIR,
            repairIo,
            new RowMemory(settings.rowMemory()),
            planner,
            stripesInWork,
            repairLimits,
            steps);
    StripeRepairer urgentRepairer =
        repairer(
            Purpose.URGENT_REPAIR,
            urgentIo,
            new RowMemory(settings.rowMemory() / 2),
            planner,
            stripesInWork,
            repairLimits,
            steps);

    this.policies =
        new PoliciesInForce(
            policies, held -> new Judge(held, settings.root(), new CodecEstimate(), clock));
    this.recency = new Recency(catalog, cluster.sources(), settings.recency(), clock);
    Journal journal = new Journal(catalog, clock, events);
    this.intent = new Intent(catalog.notes(), clock);
    this.hours = new WorkingHours(catalog.notes(), clock);
    this.scan = new ScanRound(recency, catalog, this.policies, clock);
    this.attend =
        new AttendRound(
            catalog,
            pipelines.groupKeeper(),
            pipelines.guardian(),
            pipelines.unraider(),
            new Workers(attending),
            journal,
            clock);
    NotedGates gates = new NotedGates(catalog, cluster.spaces());
    this.capacity = gates;
    this.raid =
        new RaidRound(
            cluster.listing(),
            catalog,
            this.policies,
            new RaidPlanner(catalog, recency, this.policies, clock),
            recency,
            intent,
            hours,
            gates,
            this::raidAt,
            pipelines.raider(),
            pipelines.groupRaider(),
            pipelines.unaudited(),
            attend,
            new Workers(raiding),
            journal,
            events,
            clock);
    this.reheat =
        new ReheatRound(
            catalog, recency, this.policies, hours, intent, attend, journal, events, clock);
    this.quarantine = new QuarantineRound(pipelines.quarantine(), attend, catalog, journal);
    this.integrity =
        new IntegrityRound(
            access.parity(),
            access.namespace(),
            check,
            cluster.losses(),
            attend,
            quarantine,
            catalog,
            new Workers(checking),
            reporting,
            events,
            clock);
    this.silentNodes = new SilentNodesRound(access.namespace(), catalog, integrity, reporting);
    this.rollCall = new RollCallRound(access.parity(), attend);
    this.placementAudit =
        new PlacementRound(
            catalog,
            attend,
            new Workers(checking),
            parityBytes,
            settings::auditFilesPerSecond,
            PlacementRound.Pause::sleep,
            events,
            clock);
    this.storms =
        new StormBreaker(access.namespace(), catalog, settings.storm(), journal, events, clock);
    IntegrityCheck atPace =
        new IntegrityCheck(
            access.namespace(),
            locator,
            traffic.questions(stalls.reads(access.dataNodes())),
            faults,
            ioThreads("raid-scrub-io", tuning, Rounds::scrubWorkers));
    StripeLook deepLook =
        StripeLook.deep(
            new Scrubber(traffic.reads(Purpose.SCRUB, stalls.reads(access.dataNodes()))),
            faults,
            new BadCopies(cluster.badReplicas(), access.fence(), stripesInWork));
    this.presenceScrub =
        new ScrubRound(
            ScrubDepth.PRESENCE,
            settings.scrub(),
            StripeLook.presence(atPace),
            access.parity(),
            access.namespace(),
            check,
            integrity,
            attend,
            catalog,
            new Workers(threads("raid-scrub", tuning, Rounds::scrubWorkers)),
            journal,
            events,
            clock);
    this.deepScrub =
        new ScrubRound(
            ScrubDepth.DEEP,
            settings.scrub(),
            deepLook,
            access.parity(),
            access.namespace(),
            check,
            integrity,
            attend,
            catalog,
            new Workers(threads("raid-scrub-deep", tuning, Rounds::scrubWorkers)),
            journal,
            events,
            clock);
    this.repair =
        new RepairRound(
            catalog,
            access.parity(),
            access.namespace(),
            check,
            planner,
            new RepairRound.Lane(repairer, new Workers(repairing)),
            new RepairRound.Lane(urgentRepairer, new Workers(urgent)),
            storms,
            id -> attend.attend(id, "repair"),
            faults::remember,
            settings.repair(),
            journal,
            events,
            clock);
    // What an earlier daemon left unaudited counts before this one reduces anything.
    catalog
        .files()
        .withStatus(
            FileStatus.REDUCED,
            -1,
            file -> {
              if (file.standing().changesAt().isPresent()) {
                return true; // audited, and stuck
              }
              int stripes = file.parity().map(Parity::stripes).orElse(1);
              pipelines.unaudited().found(attend.parityOf(file.inode()), stripes);
              return true;
            });
    this.withdrawal =
        new WithdrawalRound(
            intent,
            access.parity(),
            cluster::removeRoot,
            attend,
            quarantine,
            catalog,
            new Workers(attending),
            journal);
    this.cleanUp =
        new CleanUpRound(pipelines.janitor(), catalog, journal, settings.history(), clock);
  }

  private StripeRepairer repairer(
      Purpose purpose,
      ExecutorService io,
      RowMemory memory,
      RepairPlanner planner,
      StripesInWork stripesInWork,
      RepairLimits limits,
      StepListener steps) {
    ClusterAccess access = cluster.access();
    DataNodes dataNodes = traffic.reads(purpose, stalls.reads(access.dataNodes()));
    return new StripeRepairer(
        new StripeRebuilder(dataNodes, io, traffic.preference(), memory, hedge),
        planner,
        traffic.deliveries(purpose, stalls.deliveries(cluster.delivery())),
        dataNodes,
        cluster.badReplicas(),
        access.fence(),
        stripesInWork,
        limits,
        steps);
  }

  private static int raidWorkers(Tuning tuning) {
    return tuning.raiding().workers();
  }

  private static int repairWorkers(Tuning tuning) {
    return tuning.repair().workers();
  }

  private static int scrubWorkers(Tuning tuning) {
    return tuning.scrub().workers();
  }

  private ExecutorService ioThreads(String name, Tuning tuning, ToIntFunction<Tuning> workers) {
    return threads(name, tuning, now -> IO_THREADS_PER_WORKER * workers.applyAsInt(now));
  }

  private ExecutorService threads(String name, Tuning tuning, ToIntFunction<Tuning> size) {
    Threads made = new Threads(name, size.applyAsInt(tuning));
    threads.put(made, size);
    return made.executor();
  }

  /** Works harder or less hard from now on; also what is under way does. */
  public synchronized void apply(Tuning tuning) {
    this.tuning = tuning;
    moves = tuning.moves().workers();
    Tuning now = tuning.raidingAt(intensity);
    threads.forEach((pool, size) -> pool.resize(size.applyAsInt(now)));
    traffic.apply(now);
    cluster.calls().set(now.nameNodeCallsPerSecond());
  }

  /** Raids with so many percent of what the tuning allows. */
  private synchronized void raidAt(int percent) {
    if (percent != intensity) {
      intensity = percent;
      apply(tuning);
    }
  }

  public ReheatRound reheat() {
    return reheat;
  }

  /** When policies may act. */
  public WorkingHours hours() {
    return hours;
  }

  /** Which of them would make room now. */
  public CapacityGates capacity() {
    return capacity;
  }

  /** How hard they work now. */
  public Tuning tuning() {
    return tuning;
  }

  /** What passes between the daemon and DataNodes. */
  public Traffic traffic() {
    return traffic;
  }

  /** The policies that hold now; may be replaced. */
  public PoliciesInForce policies() {
    return policies;
  }

  /** What is known about when files are used. */
  public Recency recency() {
    return recency;
  }

  public Pipelines pipelines() {
    return pipelines;
  }

  public PlacementAudit placement() {
    return placement;
  }

  public IntegrityCheck check() {
    return check;
  }

  public ScanRound scan() {
    return scan;
  }

  public RaidRound raid() {
    return raid;
  }

  public AttendRound attend() {
    return attend;
  }

  public QuarantineRound quarantine() {
    return quarantine;
  }

  public IntegrityRound integrity() {
    return integrity;
  }

  public SilentNodesRound silentNodes() {
    return silentNodes;
  }

  public RollCallRound rollCall() {
    return rollCall;
  }

  public PlacementRound placementAudit() {
    return placementAudit;
  }

  public ParityBytes parityBytes() {
    return parityBytes;
  }

  public StormBreaker storms() {
    return storms;
  }

  /** The scrub at one depth. */
  public ScrubRound scrub(ScrubDepth depth) {
    return switch (depth) {
      case PRESENCE -> presenceScrub;
      case DEEP -> deepScrub;
    };
  }

  public RepairRound repair() {
    return repair;
  }

  public Intent intent() {
    return intent;
  }

  public WithdrawalRound withdrawal() {
    return withdrawal;
  }

  public CleanUpRound cleanUp() {
    return cleanUp;
  }

  /** Interrupts what runs; each pipeline can be cut off anywhere. */
  @Override
  public void close() {
    stalls.close();
    threads.keySet().forEach(each -> each.executor().shutdownNow());
    for (Threads each : threads.keySet()) {
      try {
        if (!each.executor().awaitTermination(30, TimeUnit.SECONDS)) {
          return; // daemon threads: they end with the process
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
