package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.window.WindowState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.SkipReason;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.raiding.file.Raider;
import io.hdfsraid.raidnode.raiding.group.GroupPlan;
import io.hdfsraid.raidnode.raiding.group.GroupRaider;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.listing.FileListing;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Raids the files that the policies consider cold, the coldest first. */
public final class RaidJob {
  /**
   * The time between two checks whether HDFS has dropped the excess replicas. HDFS takes seconds to
   * hours.
   */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Object room = new Object();
  private final PreRaidCheck preRaidCheck;
  private final Catalog catalog;
  private final PoliciesInForce policies;
  private final RaidPlanner planner;
  private final Recency recency;
  private final OperatingMode mode;
  private final WorkingHours hours;
  private final RunLimits.Gates gates;
  private final RaidingEffort effort;
  private final Raider raider;
  private final GroupRaider groupRaider;
  private final UnauditedStripes unaudited;
  private final ReconcileJob reconciler;
  private final Workers workers;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;

  public RaidJob(
      FileListing listing,
      Catalog catalog,
      PoliciesInForce policies,
      RaidPlanner planner,
      Recency recency,
      OperatingMode mode,
      WorkingHours hours,
      RunLimits.Gates gates,
      IntConsumer intensity,
      Raider raider,
      GroupRaider groupRaider,
      UnauditedStripes unaudited,
      ReconcileJob reconciler,
      Workers workers,
      Journal journal,
      RaidEvents events,
      Clock clock) {
    this.preRaidCheck = new PreRaidCheck(listing, catalog, policies, recency, journal);
    this.catalog = catalog;
    this.policies = policies;
    this.planner = planner;
    this.recency = recency;
    this.mode = mode;
    this.hours = hours;
    this.gates = gates;
    this.effort = new RaidingEffort(intensity);
    this.raider = raider;
    this.groupRaider = groupRaider;
    this.unaudited = unaudited;
    this.reconciler = reconciler;
    this.workers = workers;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Raids the candidates of the policies that the filter accepts. Policies that are paused or
   * outside their windows raid nothing. This is checked again before each file.
   */
  public void run(Predicate<Policy> which) throws IOException {
    if (mode.paused().isPresent()) {
      return;
    }
    // Asked once for each policy, and not for each file.
    Set<String> open =
        policies.policies().inOrder().stream()
            .filter(which)
            .filter(this::mayAct)
            .map(Policy::name)
            .collect(Collectors.toSet());
    Object round = new Object();
    effort.begins(round);
    try {
      pace(round, open);
      carryOut(round, open);
    } finally {
      effort.ended(round);
    }
  }

  private void carryOut(Object round, Set<String> open) throws IOException {
    RaidPlan plan = plan(policy -> open.contains(policy.name()));
    plan.lonely()
        .forEach(
            lonely ->
                catalog
                    .namespace()
                    .skipUnlessBusy(lonely.file().inodeId(), SkipReason.NO_COMPANY.tag()));
    List<Workers.Task> tasks = new ArrayList<>();
    for (RaidPlan.Together together : plan.groups()) {
      tasks.add(
          () -> {
            awaitRoom();
            pace(round, open);
            if (mayAct(together.policy().name())) {
              raidTogether(together);
            }
          });
    }
    for (RaidPlan.Candidate candidate : plan.alone()) {
      tasks.add(
          () -> {
            awaitRoom();
            pace(round, open);
            if (mayAct(candidate.policy().name())) {
              raid(candidate);
            }
          });
    }
    workers.inOrder(tasks);
  }

  /** HDFS is asked about candidates of which no more is known than that they were made. */
  private RaidPlan plan(Predicate<Policy> which) throws IOException {
    RaidPlan plan = planner.plan(which, gates);
    if (plan.unclear().isEmpty()) {
      return plan;
    }
    recency.list(plan.unclear());
    return planner.plan(which, gates);
  }

  private boolean mayAct(Policy policy) {
    return windowState(policy).open() && mode.paused().isEmpty();
  }

  private WindowState windowState(Policy policy) {
    return hours.of(policies.policies(), policy);
  }

  /**
   * What a round does next is done as hard as all of its policies allow that may act now: pools are
   * shared, and would go up and down from file to file.
   */
  private void pace(Object round, Set<String> open) {
    policies.policies().inOrder().stream()
        .filter(policy -> open.contains(policy.name()))
        .map(this::windowState)
        .filter(WindowState::open)
        .mapToInt(WindowState::intensity)
        .min()
        .ifPresent(percent -> effort.wants(round, percent));
  }

  /** Of the policy that has this name now, if there is one. */
  private boolean mayAct(String policy) {
    return policies.policies().inOrder().stream()
        .filter(each -> each.name().equals(policy))
        .anyMatch(each -> mayAct(each) && isRoomWanted(each));
  }

  /** Users delete files meanwhile, and other runs make room, too. */
  private boolean isRoomWanted(Policy policy) {
    return policy.runs().capacity().map(rule -> gates.look(policy, rule).isOpen()).orElse(true);
  }

  private void raid(RaidPlan.Candidate candidate) throws IOException {
    String by = candidate.policy().name();
    Optional<PreRaidCheck.Wanted> wanted =
        preRaidCheck
            .at(candidate.file().inodeId(), by)
            .filter(now -> now.verdict() instanceof Verdict.Raid);
    if (wanted.isPresent()) {
      know(wanted.get().file(), by);
      raid(wanted.get().file().inodeId(), wanted.get().policy().protection(), by);
    }
  }

  private void raidTogether(RaidPlan.Together together) throws IOException {
    String by = together.policy().name();
    Protection protection = together.policy().protection();
    List<FileFacts> still = new ArrayList<>();
    for (FileFacts planned : together.files()) {
      preRaidCheck
          .at(planned.inodeId(), by)
          // With another protection they may make other groups, or none.
          .filter(now -> now.policy().protection().equals(protection))
          .ifPresent(now -> still.add(now.file()));
    }
    if (!still.isEmpty()) {
      still.forEach(file -> know(file, by));
      raidTogether(GroupPlan.inodes(still), protection, by);
    }
  }

  /** What a round would raid now. */
  public List<FileFacts> candidates(Predicate<Policy> which) throws IOException {
    RaidPlan plan = plan(which);
    List<FileFacts> candidates = new ArrayList<>();
    plan.alone().forEach(candidate -> candidates.add(candidate.file()));
    plan.groups().forEach(together -> candidates.addAll(together.files()));
    return candidates;
  }

  /**
   * Stores a record of a file that is to be raided, unless there is one.
   *
   * @param by the policy, or the operator, that wants it
   */
  public void know(FileFacts file, String by) {
    if (catalog.files().find(file.inodeId()).isEmpty()) {
      catalog.files().put(FileRecord.candidate(file, by, clock.instant()));
    }
  }

  /**
   * Waits until so many stripes are audited that another file may be reduced. Parity of files that
   * may not be reduced yet would only fill the cluster.
   */
  private void awaitRoom() throws IOException {
    synchronized (room) {
      while (!unaudited.hasRoom()) {
        reconciler.run();
        if (!unaudited.hasRoom()) {
          pause();
        }
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for audits");
    }
  }

  /**
   * Raids files together. If an earlier attempt has committed a group with one of these files and
   * died before this was stored, continues with that group first.
   */
  public void raidTogether(List<Long> wanted, Protection protection, String by) throws IOException {
    Set<Long> groups = new TreeSet<>();
    for (long inode : wanted) {
      long id = reconciler.parityOf(inode);
      if (id != inode && groups.add(id)) {
        try {
          reconciler.reconcile(id, by);
        } catch (FileInWorkException e) {
          // Whoever works on it sees to it.
        }
      }
    }
    List<Long> inodes =
        wanted.stream().filter(inode -> reconciler.parityOf(inode) == inode).toList();
    if (inodes.isEmpty()) {
      return;
    }
    try {
      journal.worked(
          "raid",
          groupRaider.raid(
              inodes,
              protection,
              policies.policies().minSavingPercent(),
              bytes -> events.encoded(inodes.get(0), bytes)),
          by);
    } catch (FileInWorkException e) {
      for (long inode : inodes) {
        journal.busy("raid", inode, e.getMessage(), by);
      }
      throw e;
    } catch (IOException | RuntimeException e) {
      journal.failed("raid", inodes.get(0), e, by);
      throw e;
    }
  }

  /** Raids one file, for a policy or for an operator. */
  public void raid(long inode, Protection protection, String by) throws IOException {
    try {
      if (reconciler.parityOf(inode) != inode) {
        reconciler.reconcile(inode, by); // it is, or was, in a group
        if (reconciler.parityOf(inode) != inode) {
          return;
        }
      }
      journal.worked(
          "raid", inode, raider.raid(inode, protection, bytes -> events.encoded(inode, bytes)), by);
    } catch (FileInWorkException e) {
      journal.busy("raid", inode, e.getMessage(), by);
      throw e;
    } catch (IOException | RuntimeException e) {
      journal.failed("raid", inode, e, by);
      throw e;
    }
  }
}
