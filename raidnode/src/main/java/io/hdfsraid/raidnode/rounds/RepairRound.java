package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.NameNodeBlockView;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.plan.RepairPriority;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.blockfixer.repair.StripeRepairer;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs what is in the ledger: the stripes that bear fewest further losses first. Each is judged
 * anew before it is planned, for what was written down is old.
 */
public final class RepairRound {
  private static final Logger LOG = LoggerFactory.getLogger(RepairRound.class);

  /** Stripes between two choices of what is most urgent. */
  private static final int AT_A_TIME = 32;

  /**
   * Others' trouble (no node to take a unit, another task at work) says nothing about the stripe.
   */
  private static final Set<RepairOutcome.Reason> COUNTED =
      EnumSet.of(
          RepairOutcome.Reason.NODES_FAILED,
          RepairOutcome.Reason.WRONG_CONTENT,
          RepairOutcome.Reason.NOT_CONFIRMED);

  private final Catalog catalog;
  private final ParityStore parity;
  private final Namespace namespace;
  private final IntegrityCheck check;
  private final RepairPlanner planner;
  private final StripeRepairer repairer;
  private final Workers workers;
  private final Settings settings;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;

  /**
   * How repairs are scheduled.
   *
   * @param delay how long a loss waits that may be transient (its node does not answer) while the
   *     stripe is not at risk
   * @param retryAfter when a repair that came to nothing is tried again
   * @param parkAfter after how many failures in a row a stripe is set aside until an operator asks
   *     for it
   */
  public record Settings(Duration delay, Duration retryAfter, int parkAfter) {}

  public RepairRound(
      Catalog catalog,
      ParityStore parity,
      Namespace namespace,
      IntegrityCheck check,
      RepairPlanner planner,
      StripeRepairer repairer,
      Workers workers,
      Settings settings,
      Journal journal,
      RaidEvents events,
      Clock clock) {
    this.catalog = catalog;
    this.parity = parity;
    this.namespace = namespace;
    this.check = check;
    this.planner = planner;
    this.repairer = repairer;
    this.workers = workers;
    this.settings = settings;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Repairs what is due.
   *
   * @return how many stripes were due
   */
  public int run() throws IOException {
    return repairAll(this::isDue, "repair round");
  }

  /**
   * Repairs what is lost of one file, with its group if it is in one, whether it is due or set
   * aside; an operator asked for it.
   */
  public int run(long inode, String by) throws IOException {
    long id = catalog.groups().groupOf(inode).orElse(inode);
    return repairAll(record -> record.inode() == id, by);
  }

  /** What repairing a stripe would do now. */
  public Optional<RepairDecision> foresee(StripeHealth health) throws IOException {
    return health.state() == State.HEALTHY ? Optional.empty() : Optional.of(planner.plan(health));
  }

  /**
   * A few at a time, the most urgent first, chosen anew each time: what became urgent overtakes.
   */
  private int repairAll(Predicate<RepairRecord> wanted, String by) throws IOException {
    Set<StripeKey> tried = new HashSet<>();
    while (true) {
      List<RepairRecord> next =
          mostUrgent(record -> wanted.test(record) && !tried.contains(record.stripe()));
      if (next.isEmpty()) {
        return tried.size();
      }
      List<Workers.Task> tasks = new ArrayList<>();
      for (RepairRecord record : next) {
        tried.add(record.stripe());
        tasks.add(() -> repair(record, by));
      }
      workers.inOrder(tasks);
    }
  }

  private List<RepairRecord> mostUrgent(Predicate<RepairRecord> wanted) {
    Comparator<RepairRecord> mostUrgentFirst =
        Comparator.comparing(record -> new RepairPriority(record.furtherLosses(), record.since()));
    // The least urgent on top, to be pushed out.
    PriorityQueue<RepairRecord> best = new PriorityQueue<>(mostUrgentFirst.reversed());
    Optional<StripeKey> after = Optional.empty();
    while (true) {
      List<RepairRecord> page = catalog.repairs().list(after, 1_000);
      if (page.isEmpty()) {
        return best.stream().sorted(mostUrgentFirst).toList();
      }
      for (RepairRecord record : page) {
        if (wanted.test(record)) {
          best.add(record);
          if (best.size() > AT_A_TIME) {
            best.poll();
          }
        }
      }
      after = Optional.of(page.get(page.size() - 1).stripe());
    }
  }

  private boolean isDue(RepairRecord record) {
    return switch (record.status()) {
      case WAITING, UNRECOVERABLE -> true;
      case POSTPONED -> record.wakeAt().map(at -> !at.isAfter(clock.instant())).orElse(true);
      // RUNNING of a daemon that died: this process has just started, or would hold the stripe.
      case RUNNING -> true;
      case PARKED -> false;
    };
  }

  private void repair(RepairRecord record, String by) throws IOException {
    try {
      Optional<ParityFile> found =
          parity
              .find(record.inode())
              .filter(file -> file.file().inode() == record.stripe().parityInode());
      if (found.isPresent()) {
        repair(record, found.get(), by);
      } else {
        catalog.repairs().remove(record.stripe());
      }
    } catch (IOException | RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("stripe", record.stripe())
          .addKeyValue("path", record.path())
          .setCause(e)
          .log("repair failed; it will be tried again");
      catalog
          .repairs()
          .put(record.to(RepairStatus.POSTPONED, String.valueOf(e.getMessage()), retryLater()));
      throw e;
    }
  }

  private void repair(RepairRecord written, ParityFile file, String by) throws IOException {
    StripeHealth health = check.check(check.locate(file, written.stripe().index()));
    if (health.state() == State.HEALTHY || health.state() == State.UNKNOWN) {
      catalog.repairs().remove(written.stripe());
      return;
    }
    RepairRecord record = written.judged(health.lost(), health.furtherLosses());
    if (mayBeTransient(record, health)) {
      catalog
          .repairs()
          .put(
              record.to(
                  RepairStatus.POSTPONED,
                  "Its nodes do not answer and may come back",
                  Optional.of(record.since().plus(settings.delay()))));
      return;
    }
    RepairDecision decision = planner.plan(health);
    Optional<RepairPlan> plan = decision.plan();
    if (plan.isEmpty()) {
      RepairStatus status =
          health.state() == State.UNRECOVERABLE
              ? RepairStatus.UNRECOVERABLE
              : RepairStatus.POSTPONED;
      setAside(record, status, decision.message(), by);
      return;
    }
    catalog.repairs().put(record.to(RepairStatus.RUNNING, "", Optional.empty()));
    RepairOutcome outcome = repairer.repair(plan.get(), new NameNodeBlockView(namespace, file));
    if (outcome instanceof RepairOutcome.Repaired repaired) {
      finished(record, repaired, by);
    } else {
      fail(record, outcome, by);
    }
    events.repaired(outcome, health.lost().size());
  }

  private boolean mayBeTransient(RepairRecord record, StripeHealth health) {
    boolean onlyUnreachable = health.unreachable().equals(health.lost());
    boolean young = record.since().plus(settings.delay()).isAfter(clock.instant());
    return onlyUnreachable && young && health.furtherLosses() > 0;
  }

  private void finished(RepairRecord record, RepairOutcome.Repaired repaired, String by) {
    UnitSet rest = record.lost().minus(repaired.units());
    if (rest.isEmpty()) {
      catalog.repairs().remove(record.stripe());
    } else {
      setAside(
          record.judged(rest, record.furtherLosses()),
          RepairStatus.UNRECOVERABLE,
          "Units %s were rebuilt; what is left does not determine units %s"
              .formatted(repaired.units(), rest),
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
      if (postponed.reason() == RepairOutcome.Reason.IN_WORK) {
        return; // the task that works on it writes down what came of it
      }
      boolean counts = COUNTED.contains(postponed.reason());
      RepairRecord tried = counts ? record.attempted(postponed.bytesRead()) : record;
      boolean parked = tried.attempts() >= settings.parkAfter() && tried.furtherLosses() > 0;
      setAside(
          tried, parked ? RepairStatus.PARKED : RepairStatus.POSTPONED, postponed.message(), by);
    } else {
      setAside(record, RepairStatus.UNRECOVERABLE, outcome.message(), by);
    }
  }

  private void setAside(RepairRecord record, RepairStatus status, String why, String by) {
    if (record.status() != status || !record.reason().equals(why)) {
      journal.note(status.tag(), Optional.of(record.inode()), record.path(), false, by, why, 0, 0);
      LOG.atWarn()
          .addKeyValue("stripe", record.stripe())
          .addKeyValue("path", record.path())
          .addKeyValue("status", status.tag())
          .log(why);
    }
    catalog
        .repairs()
        .put(
            record.to(
                status, why, status == RepairStatus.POSTPONED ? retryLater() : Optional.empty()));
  }

  private Optional<Instant> retryLater() {
    return Optional.of(clock.instant().plus(settings.retryAfter()));
  }
}
