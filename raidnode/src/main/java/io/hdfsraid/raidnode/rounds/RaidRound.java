package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.raid.FileInWorkException;
import io.hdfsraid.raidnode.raid.GroupPlan;
import io.hdfsraid.raidnode.raid.GroupRaider;
import io.hdfsraid.raidnode.raid.Listing;
import io.hdfsraid.raidnode.raid.Raider;
import io.hdfsraid.raidnode.raid.UnauditedStripes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Raids what the policies decide is cold, the coldest first. */
public final class RaidRound {
  /** What one round takes at most; the next goes on. Keeps the list of a round small. */
  private static final int MOST = 10_000;

  /** Files that may share parity weigh less: a number of them is one piece of work. */
  private static final int MOST_SMALL = 100_000;

  /**
   * So many of those that have found no company yet are looked at again with the new ones. Bounded
   * apart from these, so that the lonely, who are the coldest, do not keep the rest from its turn.
   */
  private static final int MOST_LONELY = 100_000;

  /**
   * Between two looks whether HDFS has dropped the excess replicas, which takes it seconds to
   * hours.
   */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Object room = new Object();
  private final Listing listing;
  private final Catalog catalog;
  private final Policies policies;
  private final Intent intent;
  private final Judge judge;
  private final Raider raider;
  private final GroupRaider groupRaider;
  private final UnauditedStripes unaudited;
  private final AttendRound attending;
  private final Workers workers;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;

  public RaidRound(
      Listing listing,
      Catalog catalog,
      Policies policies,
      Intent intent,
      Judge judge,
      Raider raider,
      GroupRaider groupRaider,
      UnauditedStripes unaudited,
      AttendRound attending,
      Workers workers,
      Journal journal,
      RaidEvents events,
      Clock clock) {
    this.listing = listing;
    this.catalog = catalog;
    this.policies = policies;
    this.intent = intent;
    this.judge = judge;
    this.raider = raider;
    this.groupRaider = groupRaider;
    this.unaudited = unaudited;
    this.attending = attending;
    this.workers = workers;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
  }

  /** A file that is to be raided now, and how. */
  public record Candidate(FileRecord file, Policy policy) {}

  /** Files that are to be raided together now, and how. */
  private record Together(List<FileRecord> files, Policy policy) {}

  /** A file for which there is no group that is worth its parity. */
  private record Lonely(FileRecord file, Policy policy, String why) {}

  /** What a round would do, each part coldest first. */
  private record Plan(List<Candidate> alone, List<Together> groups, List<Lonely> lonely) {}

  /** Candidates that may share parity, as far as the catalog knows. */
  private record Sharing(GroupPlan.Bucket bucket, Policy policy) {}

  /**
   * Raids the candidates of the policies that the filter lets pass; none while policies are paused,
   * also when the pause comes in the middle.
   */
  public void run(Predicate<Policy> which) throws IOException {
    if (intent.paused().isPresent()) {
      return;
    }
    List<Workers.Task> tasks = new ArrayList<>();
    Plan plan = plan(which);
    plan.lonely()
        .forEach(lonely -> journal.lonely(lonely.file(), lonely.why(), lonely.policy().name()));
    for (Together together : plan.groups()) {
      tasks.add(
          () -> {
            awaitRoom();
            if (intent.paused().isPresent()) {
              return;
            }
            List<FileFacts> free = withoutSnapshotted(together.files());
            if (!free.isEmpty()) {
              raidTogether(
                  GroupPlan.inodes(free), together.policy().protection(), together.policy().name());
            }
          });
    }
    for (Candidate candidate : plan.alone()) {
      tasks.add(
          () -> {
            awaitRoom();
            if (intent.paused().isPresent()) {
              return;
            }
            if (!isLeftForItsSnapshots(candidate.file())) {
              raid(
                  candidate.file().inode(),
                  candidate.policy().protection(),
                  candidate.policy().name());
            }
          });
    }
    workers.inOrder(tasks);
  }

  /** What a round would raid now; judged anew, for time has passed since the scan. */
  public List<Candidate> candidates(Predicate<Policy> which) {
    Plan plan = plan(which);
    List<Candidate> candidates = new ArrayList<>(plan.alone());
    for (Together together : plan.groups()) {
      together.files().forEach(file -> candidates.add(new Candidate(file, together.policy())));
    }
    return candidates;
  }

  private Plan plan(Predicate<Policy> which) {
    AccessTracking tracking = ScanRound.tracking(catalog);
    Instant warm = clock.instant().minus(shortestColdAfter());
    List<Candidate> alone = new ArrayList<>();
    Map<Sharing, Map<Long, FileRecord>> sharing = new LinkedHashMap<>();
    Set<Long> payAlone = new HashSet<>();
    int[] small = {0};
    int[] lonelyBefore = {0};
    catalog
        .files()
        .coldestFirst(
            file -> {
              if (file.facts().lastUsed().isAfter(warm)
                  || alone.size() == MOST
                  || small[0] == MOST_SMALL) {
                return false;
              }
              Verdict verdict = judge.verdict(file.facts(), tracking);
              Optional<Policy> policy = verdict.decidedBy().filter(which);
              if (verdict.whyNot().isPresent() || policy.isEmpty()) {
                return true;
              }
              boolean worthAlone = verdict instanceof Verdict.Raid;
              if (GroupPlan.mayShare(file.facts(), policy.get().protection())) {
                if (!ScanRound.isLonely(file)) {
                  small[0]++;
                } else if (++lonelyBefore[0] > MOST_LONELY) {
                  return true;
                }
                sharing
                    .computeIfAbsent(
                        new Sharing(GroupPlan.Bucket.of(file.facts()), policy.get()),
                        key -> new LinkedHashMap<>())
                    .put(file.inode(), file);
                if (worthAlone) {
                  payAlone.add(file.inode());
                }
              } else if (worthAlone) {
                alone.add(new Candidate(file, policy.get()));
              }
              return true;
            });
    List<Together> groups = new ArrayList<>();
    List<Lonely> lonely = new ArrayList<>();
    sharing.forEach(
        (key, files) -> {
          GroupPlan plan =
              GroupPlan.of(
                  files.values().stream().map(FileRecord::facts).toList(),
                  key.policy().protection(),
                  policies.minSavingPercent());
          for (List<FileFacts> group : plan.groups()) {
            groups.add(
                new Together(
                    group.stream().map(file -> files.get(file.inodeId())).toList(), key.policy()));
          }
          for (FileFacts left : plan.left()) {
            FileRecord file = files.get(left.inodeId());
            if (payAlone.contains(file.inode())) {
              alone.add(new Candidate(file, key.policy()));
            } else {
              lonely.add(new Lonely(file, key.policy(), plan.whyLeft()));
            }
          }
        });
    return new Plan(alone, groups, lonely);
  }

  private List<FileFacts> withoutSnapshotted(List<FileRecord> files) throws IOException {
    List<FileFacts> free = new ArrayList<>();
    for (FileRecord file : files) {
      if (!isLeftForItsSnapshots(file)) {
        free.add(file.facts());
      }
    }
    return free;
  }

  /** Asked of files that are about to be raided, for to ask it of all takes too many calls. */
  private boolean isLeftForItsSnapshots(FileRecord file) throws IOException {
    FileFacts facts = listing.withSnapshots(file.facts());
    Verdict verdict = judge.verdict(facts, ScanRound.tracking(catalog));
    boolean left = facts.snapshotReplication().isPresent() && verdict.whyNot().isPresent();
    if (left) {
      catalog
          .files()
          .replaceUnchanged(
              Map.of(file, ScanRound.judged(file.with(facts, file.seen()), verdict, clock)));
    }
    return left;
  }

  /** Parity that may not be used yet would only fill the cluster: audits come before new files. */
  private void awaitRoom() throws IOException {
    synchronized (room) {
      while (!unaudited.hasRoom()) {
        attending.run();
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
   * Raids files together, whoever wants it. What an earlier attempt has committed, and died before
   * it was written down, is gone on with instead.
   */
  public void raidTogether(List<Long> wanted, Protection protection, String by) throws IOException {
    Set<Long> groups = new TreeSet<>();
    for (long inode : wanted) {
      long id = attending.parityOf(inode);
      if (id != inode && groups.add(id)) {
        try {
          attending.attend(id, by);
        } catch (FileInWorkException e) {
          // Whoever works on it sees to it.
        }
      }
    }
    List<Long> inodes =
        wanted.stream().filter(inode -> attending.parityOf(inode) == inode).toList();
    if (inodes.isEmpty()) {
      return;
    }
    try {
      journal.worked(
          "raid",
          groupRaider.raid(
              inodes,
              protection,
              policies.minSavingPercent(),
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

  /** Raids one file, whoever wants it. */
  public void raid(long inode, Protection protection, String by) throws IOException {
    try {
      if (attending.parityOf(inode) != inode) {
        attending.attend(inode, by); // it is, or was, in a group
        if (attending.parityOf(inode) != inode) {
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

  private Duration shortestColdAfter() {
    Optional<Duration> shortest =
        policies.inOrder().stream().map(Policy::coldAfter).min(Duration::compareTo);
    return shortest.orElse(Duration.ZERO);
  }
}
