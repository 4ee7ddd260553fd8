// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.raiding.core.Spaces;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives files their replicas back whose parity is gone from HDFS. One file or a few get them at
 * once. If much parity is gone at once, as when somebody deleted its directory, the replicas of all
 * its files could fill the cluster, and then no user could write. So the files with the fewest
 * replicas come first, at a limited rate, and none beyond a level of fullness.
 */
public final class VanishedParity {
  private static final Logger LOG = LoggerFactory.getLogger(VanishedParity.class);
  private static final String NOTE = "vanished-parity";

  /** So many are raised at once in any case. */
  private static final int FEW = 1_000;

  /** More are never raised at once: their ids are kept in a list. */
  private static final int MANY = 1_000_000;

  /** After each batch. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How long one run raises; the next one goes on. */
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private static final CapacityRule CLUSTER = new CapacityRule(100, 1, Optional.empty());

  private final ParityStore parity;
  private final ReconcileJob reconciler;
  private final Catalog catalog;
  private final Spaces spaces;
  private final Limits limits;
  private final PlacementJob.Pause pause;
  private final Clock clock;

  public VanishedParity(
      ParityStore parity,
      ReconcileJob reconciler,
      Catalog catalog,
      Spaces spaces,
      Limits limits,
      PlacementJob.Pause pause,
      Clock clock) {
    this.parity = parity;
    this.reconciler = reconciler;
    this.catalog = catalog;
    this.spaces = spaces;
    this.limits = limits;
    this.pause = pause;
    this.clock = clock;
  }

  /**
   * What is too much to be raised at once, and how it is raised then.
   *
   * @param fewPercent share of all raided files that is raised at once
   * @param filesPerSecond how many of more files are raised in a second
   * @param mostFull fullness of the cluster in percent above which none of them is raised
   */
  public record Limits(int fewPercent, int filesPerSecond, int mostFull) {
    public static final Limits DEFAULT = new Limits(1, 100, 85);
  }

  /**
   * Much parity that is gone.
   *
   * @param since when it was noticed
   * @param files how many of its files were without replicas when the last run began
   * @param raised how many of them have got their replicas back in that run
   * @param full whether the cluster was too full for more
   */
  public record Loss(Instant since, long files, long raised, boolean full) {}

  /** Returns the loss that is being raised; empty if there is none, or only a few files. */
  public static Optional<Loss> current(Notes notes) {
    return notes.record(NOTE, Loss.class);
  }

  /**
   * Raises the files that the catalog believes raided and that have no parity.
   *
   * @param seen the ids of parity that were listed
   */
  public void raise(ParityIds seen) throws IOException {
    Map<Integer, ParityIds> byReplicas = new TreeMap<>();
    long raided = 0;
    for (FileState state :
        List.of(FileState.COMMITTED, FileState.REDUCED, FileState.RAIDED, FileState.UNRAIDING)) {
      raided += unseen(state, seen, byReplicas);
    }
    Doubtful doubtful = new Doubtful(byReplicas.values());
    long few = Math.max(FEW, Math.min(MANY, raided / 100 * limits.fewPercent()));
    List<Long> gone = new ArrayList<>();
    while (doubtful.hasNext() && gone.size() <= few) {
      addIfGone(doubtful.next(), gone);
    }
    if (gone.size() <= few) {
      catalog.notes().remove(NOTE);
      raise(gone);
    } else {
      brake(gone, doubtful);
    }
  }

  /** The files whose parity was not seen, those with the fewest replicas first. */
  private static final class Doubtful {
    private final Iterator<ParityIds> rest;
    private PrimitiveIterator.OfLong ids = new ParityIds().iterator();
    private long left;

    Doubtful(Collection<ParityIds> byReplicas) {
      rest = byReplicas.iterator();
      left = byReplicas.stream().mapToLong(ParityIds::size).sum();
    }

    long left() {
      return left;
    }

    boolean hasNext() {
      while (!ids.hasNext() && rest.hasNext()) {
        ids = rest.next().iterator();
      }
      return ids.hasNext();
    }

    long next() {
      left--;
      return ids.nextLong();
    }
  }

  /**
   * Adds the files in this state whose parity was not seen. There may be hundreds of millions, so
   * only their ids are kept, as bits.
   *
   * @param byReplicas collects them by how many replicas they keep
   * @return how many files are in this state
   */
  private long unseen(FileState state, ParityIds seen, Map<Integer, ParityIds> byReplicas) {
    long[] files = {0};
    catalog
        .files()
        .idsWithStatus(
            state,
            inode -> {
              files[0]++;
              if (!seen.contains(reconciler.parityOf(inode))) {
                catalog
                    .files()
                    .find(inode)
                    .filter(file -> file.state() == state)
                    .ifPresent(
                        file ->
                            byReplicas
                                .computeIfAbsent(replicas(file), none -> new ParityIds())
                                .add(inode));
              }
            });
    return files[0];
  }

  /** Asks again: it may have been committed since its directory was listed. */
  private void addIfGone(long inode, List<Long> gone) throws IOException {
    if (parity.find(reconciler.parityOf(inode)).isEmpty()) {
      gone.add(inode);
    }
  }

  private void raise(List<Long> inodes) {
    reconciler.unprotected(inodes, "Its parity file is gone from HDFS", "integrity check");
  }

  /**
   * @param gone more than a few, those at the greatest risk first
   * @param doubtful the others, not asked for yet
   */
  private void brake(List<Long> gone, Doubtful doubtful) throws IOException {
    Instant began = clock.instant();
    Instant since = current(catalog.notes()).map(Loss::since).orElse(began);
    long files = (long) gone.size() + doubtful.left();
    LOG.error(
        "The parity of {} files is gone at once. Their replication is raised slowly, and not above {} % of the cluster's space",
        files, limits.mostFull());
    List<Long> next = new ArrayList<>(gone);
    long raised = 0;
    boolean full = isFull();
    while (!full && clock.instant().isBefore(began.plus(LONGEST))) {
      while (next.size() < limits.filesPerSecond() && doubtful.hasNext()) {
        addIfGone(doubtful.next(), next);
      }
      if (next.isEmpty()) {
        break;
      }
      List<Long> batch = next.subList(0, Math.min(limits.filesPerSecond(), next.size()));
      raise(batch);
      raised += batch.size();
      batch.clear();
      catalog.notes().record(NOTE, new Loss(since, files, raised, false));
      pause.of(PAUSE);
      full = isFull();
    }
    catalog.notes().record(NOTE, new Loss(since, files, raised, full));
  }

  /** Those with one replica are lost with one disk. */
  private static int replicas(FileRecord file) {
    return file.parity().map(Parity::targetReplication).orElse(1);
  }

  private boolean isFull() throws IOException {
    SpaceUsage space = spaces.of(CLUSTER);
    return space.total() > 0 && space.used() > space.total() / 100 * limits.mostFull();
  }
}
