package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.NameNodeBlockView;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.blockfixer.repair.RepairTally;
import io.hdfsraid.blockfixer.repair.StripeRepairer;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.catalog.Urgency;
import io.hdfsraid.raidnode.raid.FileInWorkException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs what is in the ledger: the stripes that bear fewest further losses first. Which is next
 * is asked each time a worker is free, so what becomes urgent overtakes; and each is judged anew
 * before it is planned, for what was written down is old. Safe for concurrent use.
 */
public final class RepairRound {
  private static final Logger LOG = LoggerFactory.getLogger(RepairRound.class);

  /** One more loss may be one too many for stripes that bear no more than this. */
  static final int AT_RISK = 0;

  private static final int ALL = Integer.MAX_VALUE;

  private static final int PAGE = 1_000;

  /** Others wait for the audit of all placements. */
  private static final int MOST_CROWDED = 10_000;

  /**
   * Others' trouble (no node to take a unit, another task at work) says nothing about the stripe.
   */
  private static final Set<RepairOutcome.Reason> COUNTED =
      EnumSet.of(
          RepairOutcome.Reason.NODES_FAILED,
          RepairOutcome.Reason.WRONG_CONTENT,
          RepairOutcome.Reason.NOT_CONFIRMED);

  private static final Duration WAKE_EVERY = Duration.ofSeconds(5);

  private static final String LEFT = "An operator wants it left until then";

  private final RunningRepairs running = new RunningRepairs();
  private final Catalog catalog;
  private final ParityStore parity;
  private final Namespace namespace;
  private final IntegrityCheck check;
  private final RepairPlanner planner;
  private final Lane usual;
  private final Lane urgent;
  private final StormBreaker storms;
  private final Spreading spreading;
  private final Consumer<StripeHealth> met;
  private final Settings settings;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;
  private final ReturnedNodes returned = new ReturnedNodes();
  private final RepairTally tally = new RepairTally();
  private final Pace pace;
  private final TransientLosses transients;

  /** Ids of parity of which a unit had to be put where another one is. */
  private final Set<Long> crowded = ConcurrentHashMap.newKeySet();

  /**
   * Workers, and the bytes in a second that they may use.
   *
   * @param repairer that keeps to them
   */
  public record Lane(StripeRepairer repairer, Workers workers) {}

  /**
   * What a repair is done for.
   *
   * @param furtherLosses only if the stripe bears at most so many
   * @param asked an operator asked for it: it does not wait for what may come back
   */
  private record Order(int furtherLosses, boolean asked, String by) {
    static Order ofRound(int furtherLosses) {
      return new Order(furtherLosses, false, "repair round");
    }

    static Order asked(String by) {
      return new Order(ALL, true, by);
    }
  }

  /** Has the units of one parity file, by its id, moved to better places. */
  @FunctionalInterface
  public interface Spreading {
    void spread(long id) throws IOException;
  }

  /**
   * How repairs are scheduled.
   *
   * @param delay how long a loss waits that may be transient (its node does not answer) while the
   *     stripe is not at risk
   * @param retryAfter when a repair that came to nothing is tried again; twice as late each time,
   *     up to an hour, or ten minutes for a stripe at risk
   * @param parkAfter after how many failures in a row a stripe is set aside until an operator asks
   *     for it
   */
  public record Settings(Duration delay, Duration retryAfter, int parkAfter) {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration LONGEST_AT_RISK = Duration.ofMinutes(10);
    private static final int DOUBLINGS = 20;

    /** How long to wait after so many failures in a row. */
    Duration backOff(int failures, boolean atRisk) {
      int doublings = Math.min(DOUBLINGS, Math.max(0, failures - 1));
      return bounded(retryAfter.multipliedBy(1L << doublings), atRisk);
    }

    /** How long to wait for what is not counted: half as long as it has lasted. */
    Duration backOff(Duration lasted, boolean atRisk) {
      return bounded(retryAfter.isZero() ? retryAfter : lasted.dividedBy(2), atRisk);
    }

    private Duration bounded(Duration wanted, boolean atRisk) {
      Duration longest = atRisk ? LONGEST_AT_RISK : LONGEST;
      Duration bounded = wanted.compareTo(longest) > 0 ? longest : wanted;
      return bounded.compareTo(retryAfter) < 0 ? retryAfter : bounded;
    }
  }

  /**
   * Rounds over a ledger.
   *
   * @param usual for stripes that bear another loss
   * @param urgent for those that do not; their repairs use its bytes whoever does them
   * @param met is told what the reads of a repair have met that came to nothing
   */
  public RepairRound(
      Catalog catalog,
      ParityStore parity,
      Namespace namespace,
      IntegrityCheck check,
      RepairPlanner planner,
      Lane usual,
      Lane urgent,
      StormBreaker storms,
      Spreading spreading,
      Consumer<StripeHealth> met,
      Settings settings,
      Journal journal,
      RaidEvents events,
      Clock clock) {
    this.catalog = catalog;
    this.parity = parity;
    this.namespace = namespace;
    this.check = check;
    this.planner = planner;
    this.usual = usual;
    this.urgent = urgent;
    this.storms = storms;
    this.spreading = spreading;
    this.met = met;
    this.settings = settings;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
    this.pace = new Pace(clock);
    this.transients =
        new TransientLosses(catalog.repairs(), parity, namespace, settings.delay(), clock);
  }

  /**
   * Repairs what is due, and what becomes so meanwhile.
   *
   * @return how many stripes were looked at
   */
  public int run() throws IOException {
    return run(usual, ALL);
  }

  /**
   * As {@link #run()}, but only stripes that bear no further loss, by workers of their own: they
   * wait for no other.
   */
  public int runAtRisk() throws IOException {
    return run(urgent, AT_RISK);
  }

  private int run(Lane lane, int furtherLosses) throws IOException {
    AtomicReference<Instant> woken = new AtomicReference<>(Instant.MIN);
    return lane.workers()
        .whileThereIs(
            () -> {
              // A run may last for days, and what is at risk is tried again within minutes.
              Instant now = clock.instant();
              if (!woken.get().plus(WAKE_EVERY).isAfter(now)) {
                woken.set(now);
                wake(now);
              }
              Order order = Order.ofRound(storms.look().isPresent() ? AT_RISK : furtherLosses);
              return ledger()
                  .take(order.furtherLosses())
                  .<Workers.Task>map(next -> () -> repair(next, order));
            });
  }

  private void wake(Instant now) throws IOException {
    // Who has lost too much is helped by what comes back, and need not wait for his turn then.
    if (ledger().count(RepairStatus.UNRECOVERABLE) > 0 && returned.any(heard(), now)) {
      ledger().wake(RepairStatus.UNRECOVERABLE);
    }
    ledger().wake(now);
  }

  /** Live nodes but those whose heartbeats the NameNode misses: what they hold does not count. */
  private List<NodeState> heard() throws IOException {
    Set<DataNode> quiet = SilentNodesRound.nodes(namespace.quietNodes(SilentNodesRound.SILENCE));
    return namespace.nodes().stream().filter(node -> !quiet.contains(node.node())).toList();
  }

  /** See {@link TransientLosses#wakeOpened}. */
  public int wakeOpened() throws IOException {
    return transients.wakeOpened();
  }

  /**
   * Repairs what is lost of one file, with its group if it is in one, whether it is due or set
   * aside, and whatever pauses; an operator asked for it.
   *
   * @return how many stripes were looked at
   */
  public int run(long inode, String by) throws IOException {
    long id = catalog.groups().groupOf(inode).orElse(inode);
    Optional<ParityFile> file = parity.find(id);
    return file.isEmpty() ? 0 : runAsked(ledger().of(file.get().file().inode()), by);
  }

  /** Likewise, these stripes. */
  public int run(Set<StripeKey> stripes, String by) throws IOException {
    return runAsked(stripes.stream().flatMap(each -> ledger().find(each).stream()).toList(), by);
  }

  /** Likewise, all that is in the ledger. */
  public int runAll(String by) throws IOException {
    Optional<Urgency> after = Optional.empty();
    int looked = 0;
    while (true) {
      List<RepairRecord> next = ledger().mostUrgent(after, PAGE);
      if (next.isEmpty()) {
        return looked;
      }
      looked += runAsked(next, by);
      after = Optional.of(Urgency.of(next.get(next.size() - 1)));
    }
  }

  /**
   * The most urgent first. Each is taken when a worker begins with it, not before: until then what
   * works for stripes at risk can have it, and nothing has to be given back by who is interrupted.
   */
  private int runAsked(List<RepairRecord> records, String by) throws IOException {
    Iterator<StripeKey> stripes =
        records.stream().map(Urgency::of).sorted().map(Urgency::stripe).iterator();
    AtomicInteger taken = new AtomicInteger();
    usual
        .workers()
        .whileThereIs(
            () ->
                stripes.hasNext()
                    ? Optional.of(asked(stripes.next(), taken, by))
                    : Optional.empty());
    return taken.get();
  }

  private Workers.Task asked(StripeKey stripe, AtomicInteger taken, String by) {
    return () -> {
      Optional<RepairRecord> record = ledger().take(stripe);
      if (record.isPresent()) {
        taken.incrementAndGet();
        repair(record.get(), Order.asked(by));
      }
    };
  }

  /**
   * Leaves a stripe alone until then, or until more of it is lost. What is under way for it is cut
   * off: a unit is final on its target when all of it has arrived and was proven, and not before.
   *
   * @return what is known of it now; empty when it waits for no repair
   */
  public Optional<RepairRecord> leave(StripeKey stripe, Instant until, String by) {
    Optional<RepairRecord> left = putLeft(stripe, until);
    left.ifPresent(
        record -> {
          running.cutOff(stripe, until);
          journal.note(
              "left", Optional.of(record.inode()), record.path(), true, by, record.reason(), 0, 0);
        });
    return left;
  }

  /** What repairing a stripe would do now. */
  public Optional<RepairDecision> foresee(StripeHealth health) throws IOException {
    return health.state() == State.HEALTHY ? Optional.empty() : Optional.of(planner.plan(health));
  }

  /** What repairs have cost since the start. */
  public RepairTally tally() {
    return tally;
  }

  /** How fast stripes have been repaired of late. */
  public Pace pace() {
    return pace;
  }

  private RepairLedger ledger() {
    return catalog.repairs();
  }

  private void repair(RepairRecord record, Order order) throws IOException {
    try (RunningRepairs.Run run = running.begin(record.stripe())) {
      try {
        if (!isLeftSince(record)) {
          repairUnlessLeft(record, order);
        }
      } finally {
        // Whoever wanted it left wins over what came of it.
        run.left().ifPresent(until -> putLeft(record.stripe(), until));
      }
    }
  }

  /** It was taken, and so running, a while ago. */
  private boolean isLeftSince(RepairRecord taken) {
    return ledger()
        .find(taken.stripe())
        .filter(now -> now.status() == RepairStatus.POSTPONED && now.reason().equals(LEFT))
        .isPresent();
  }

  /** What nobody tries is not to be hidden behind this, nor to be tried when the time is over. */
  private Optional<RepairRecord> putLeft(StripeKey stripe, Instant until) {
    return ledger()
        .update(
            stripe,
            record ->
                switch (record.status()) {
                  case UNRECOVERABLE, PARKED -> record;
                  case WAITING, RUNNING, POSTPONED ->
                      record.to(RepairStatus.POSTPONED, LEFT, Optional.of(until));
                });
  }

  /** Whoever takes a stripe says what came of it, also when he fails: else it stays running. */
  private void repairUnlessLeft(RepairRecord record, Order order) throws IOException {
    try {
      Optional<ParityFile> found =
          parity
              .find(record.inode())
              .filter(file -> file.file().inode() == record.stripe().parityInode());
      if (found.isPresent()) {
        repair(record, found.get(), order);
      } else {
        ledger().remove(record.stripe());
      }
    } catch (IOException | RuntimeException | Error e) {
      if (Thread.currentThread().isInterrupted()) {
        // Not its fault: it keeps its place, also when another process takes up the queue.
        ledger().put(record.to(RepairStatus.WAITING, record.reason(), Optional.empty()));
        throw e;
      }
      LOG.atWarn()
          .addKeyValue("stripe", record.stripe())
          .addKeyValue("path", record.path())
          .setCause(e)
          .log("repair failed; it will be tried again");
      ledger()
          .put(
              record.to(
                  RepairStatus.POSTPONED,
                  String.valueOf(e.getMessage()),
                  Optional.of(later(record, false))));
      throw e;
    }
  }

  private void repair(RepairRecord written, ParityFile file, Order order) throws IOException {
    StripeHealth health = check.checkAgain(check.locate(file, written.stripe().index()));
    if (health.state() == State.HEALTHY || health.state() == State.UNKNOWN) {
      ledger().remove(written.stripe());
      return;
    }
    RepairRecord record = written.judged(health.lost(), health.furtherLosses());
    if (health.furtherLosses() > order.furtherLosses()) {
      // Better off than was written down: it takes its turn among the others.
      ledger().put(record.to(RepairStatus.WAITING, record.reason(), Optional.empty()));
      return;
    }
    Optional<Instant> mayReturnUntil =
        order.asked() ? Optional.empty() : transients.mayReturnUntil(record, health, file);
    if (mayReturnUntil.isPresent()) {
      ledger().put(record.to(RepairStatus.POSTPONED, TransientLosses.WHY, mayReturnUntil));
      return;
    }
    RepairDecision decision = planner.plan(health);
    Optional<RepairPlan> plan = decision.plan();
    if (plan.isEmpty()) {
      setAside(
          record,
          health.state() == State.UNRECOVERABLE
              ? RepairStatus.UNRECOVERABLE
              : RepairStatus.POSTPONED,
          decision.message(),
          later(record, false),
          order.by());
      return;
    }
    ledger().put(record.to(RepairStatus.RUNNING, record.reason(), Optional.empty()));
    Lane lane = health.furtherLosses() <= AT_RISK ? urgent : usual;
    RepairOutcome outcome =
        lane.repairer().repair(plan.get(), new NameNodeBlockView(namespace, file));
    if (outcome instanceof RepairOutcome.Repaired repaired) {
      finished(record, plan.get(), repaired, order.by());
    } else {
      fail(record, outcome, order.by());
    }
    events.repaired(outcome, health.lost().size());
  }

  private void finished(
      RepairRecord record, RepairPlan plan, RepairOutcome.Repaired repaired, String by) {
    tally.add(repaired);
    pace.add(repaired.bytesRead());
    if (repaired.crowded() && crowded.size() < MOST_CROWDED) {
      crowded.add(record.inode());
    }
    // What others have noticed meanwhile is in the ledger.
    UnitSet known = ledger().find(record.stripe()).map(RepairRecord::lost).orElse(UnitSet.none());
    UnitSet rest = record.lost().plus(known).minus(repaired.units());
    if (!known.minus(record.lost()).minus(repaired.units()).isEmpty()) {
      ledger()
          .put(
              record
                  .judged(rest, Math.max(0, record.furtherLosses()))
                  .to(RepairStatus.WAITING, "", Optional.empty()));
    } else if (rest.isEmpty()) {
      ledger().remove(record.stripe());
    } else {
      boolean undetermined = plan.undetermined().containsAll(rest);
      setAside(
          record.judged(rest, record.furtherLosses()),
          undetermined ? RepairStatus.UNRECOVERABLE : RepairStatus.POSTPONED,
          undetermined
              ? "Units %s were rebuilt; what is left does not determine units %s"
                  .formatted(repaired.units(), rest)
              : "Units %s were rebuilt; no DataNode took units %s"
                  .formatted(repaired.units(), rest),
          later(record, false),
          by);
    }
    journal.note(
        "repaired",
        Optional.of(record.inode()),
        record.path(),
        true,
        by,
        repaired.message(),
        repaired.bytesRead(),
        repaired.bytesWritten());
    LOG.atInfo()
        .addKeyValue("stripe", record.stripe())
        .addKeyValue("path", record.path())
        .addKeyValue("losses", repaired.losses())
        .addKeyValue("bytesRead", repaired.bytesRead())
        .log("repaired");
  }

  /**
   * Parked only for what keeps failing by itself, and never while one more loss may be too many.
   */
  private void fail(RepairRecord record, RepairOutcome outcome, String by) {
    if (outcome instanceof RepairOutcome.Postponed postponed) {
      boolean counts = COUNTED.contains(postponed.reason());
      RepairRecord tried = counts ? record.attempted(postponed.bytesRead()) : record;
      boolean parked =
          counts && tried.attempts() >= settings.parkAfter() && tried.furtherLosses() > AT_RISK;
      setAside(
          tried,
          parked ? RepairStatus.PARKED : RepairStatus.POSTPONED,
          postponed.message(),
          later(tried, counts),
          by);
    } else if (outcome instanceof RepairOutcome.Unrecoverable unrecoverable) {
      // Rot shows to nobody who only asks: he would call it recoverable again.
      StripeHealth health = unrecoverable.health();
      met.accept(health);
      RepairRecord worse = record.judged(health.lost(), health.furtherLosses());
      setAside(worse, RepairStatus.UNRECOVERABLE, outcome.message(), later(worse, false), by);
    }
  }

  private void setAside(
      RepairRecord record, RepairStatus status, String why, Instant later, String by) {
    // What was said of it before is not said again, unless nobody will try it any more.
    if (!record.reason().equals(why) || status == RepairStatus.PARKED) {
      journal.note(status.tag(), Optional.of(record.inode()), record.path(), false, by, why, 0, 0);
      LOG.atWarn()
          .addKeyValue("stripe", record.stripe())
          .addKeyValue("path", record.path())
          .addKeyValue("status", status.tag())
          .log(why);
    }
    ledger()
        .put(
            record.to(
                status,
                why,
                status == RepairStatus.PARKED ? Optional.empty() : Optional.of(later)));
  }

  private Instant later(RepairRecord record, boolean counted) {
    Instant now = clock.instant();
    boolean atRisk = record.furtherLosses() <= AT_RISK;
    return now.plus(
        counted
            ? settings.backOff(record.attempts(), atRisk)
            : settings.backOff(Duration.between(record.since(), now), atRisk));
  }

  /**
   * Moves the units that repairs had to put into crowded places: those were better than none, and
   * may be worse than need be by now. May take as long as raiding does.
   */
  public void spreadCrowded() throws IOException {
    for (long id : List.copyOf(crowded)) {
      try {
        spreading.spread(id);
        crowded.remove(id);
      } catch (FileInWorkException e) {
        LOG.atDebug().addKeyValue("id", id).log("spread when who works on it has ended");
      } catch (IOException | RuntimeException e) {
        LOG.atWarn()
            .addKeyValue("id", id)
            .setCause(e)
            .log("units in crowded places could not be spread; the audit of placements will");
        crowded.remove(id);
      }
    }
  }
}
