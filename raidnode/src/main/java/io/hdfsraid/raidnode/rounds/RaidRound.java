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
import io.hdfsraid.raidnode.hdfs.NamespaceListing;
import io.hdfsraid.raidnode.raid.FileInWorkException;
import io.hdfsraid.raidnode.raid.Raider;
import io.hdfsraid.raidnode.raid.UnauditedStripes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Raids what the policies decide is cold, the coldest first. */
public final class RaidRound {
  /** What one round takes at most; the next goes on. Keeps the list of a round small. */
  private static final int MOST = 10_000;

  /**
   * Between two looks whether HDFS has dropped the excess replicas, which takes it seconds to
   * hours.
   */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Object room = new Object();
  private final NamespaceListing listing;
  private final Catalog catalog;
  private final Policies policies;
  private final Intent intent;
  private final Judge judge;
  private final Raider raider;
  private final UnauditedStripes unaudited;
  private final AttendRound attending;
  private final Workers workers;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;

  public RaidRound(
      NamespaceListing listing,
      Catalog catalog,
      Policies policies,
      Intent intent,
      Judge judge,
      Raider raider,
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
    this.unaudited = unaudited;
    this.attending = attending;
    this.workers = workers;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
  }

  /** A file that is to be raided now, and how. */
  public record Candidate(FileRecord file, Policy policy) {}

  /**
   * Raids the candidates of the policies that the filter lets pass; none while policies are paused,
   * also when the pause comes in the middle.
   */
  public void run(Predicate<Policy> which) throws IOException {
    if (intent.paused().isPresent()) {
      return;
    }
    List<Workers.Task> tasks = new ArrayList<>();
    for (Candidate candidate : candidates(which)) {
      tasks.add(
          () -> {
            awaitRoom();
            if (intent.paused().isPresent()) {
              return;
            }
            if (!isLeftForItsSnapshots(candidate)) {
              raid(
                  candidate.file().inode(),
                  candidate.policy().protection(),
                  candidate.policy().name());
            }
          });
    }
    workers.inOrder(tasks);
  }

  /**
   * What a round would raid now, coldest first; judged anew, for time has passed since the scan.
   */
  public List<Candidate> candidates(Predicate<Policy> which) {
    AccessTracking tracking = ScanRound.tracking(catalog);
    Instant warm = clock.instant().minus(shortestColdAfter());
    List<Candidate> candidates = new ArrayList<>();
    catalog
        .files()
        .coldestFirst(
            file -> {
              if (file.facts().lastUsed().isAfter(warm) || candidates.size() == MOST) {
                return false;
              }
              if (judge.verdict(file.facts(), tracking) instanceof Verdict.Raid raid
                  && which.test(raid.policy())) {
                candidates.add(new Candidate(file, raid.policy()));
              }
              return true;
            });
    return candidates;
  }

  /** Asked of files that are about to be raided, for to ask it of all takes too many calls. */
  private boolean isLeftForItsSnapshots(Candidate candidate) throws IOException {
    FileRecord file = candidate.file();
    FileFacts facts = listing.withSnapshots(file.facts());
    Verdict verdict = judge.verdict(facts, ScanRound.tracking(catalog));
    boolean left = facts.snapshotReplication().isPresent() && verdict.whyNot().isPresent();
    if (left) {
      catalog.files().put(ScanRound.judged(file.with(facts, file.seen()), verdict, clock));
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

  /** Raids one file, whoever wants it. */
  public void raid(long inode, Protection protection, String by) throws IOException {
    try {
      journal.worked(
          "raid", inode, raider.raid(inode, protection, bytes -> events.encoded(inode, bytes)), by);
    } catch (FileInWorkException e) {
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
