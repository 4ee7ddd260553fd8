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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  /** So many are raised at once, and this share of all raided files. */
  private static final int FEW = 1_000;

  private static final double FEW_PERCENT = 1;

  /** No replication is raised above this fullness of the cluster, in percent. */
  private static final int MOST_FULL = 85;

  private static final int BATCH = 100;

  /** After each batch: 100 files a second. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How long one run raises; the next one goes on. */
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private static final CapacityRule CLUSTER = new CapacityRule(100, 1, Optional.empty());

  private final ParityStore parity;
  private final ReconcileJob reconciler;
  private final Catalog catalog;
  private final Spaces spaces;
  private final PlacementJob.Pause pause;
  private final Clock clock;

  public VanishedParity(
      ParityStore parity,
      ReconcileJob reconciler,
      Catalog catalog,
      Spaces spaces,
      PlacementJob.Pause pause,
      Clock clock) {
    this.parity = parity;
    this.reconciler = reconciler;
    this.catalog = catalog;
    this.spaces = spaces;
    this.pause = pause;
    this.clock = clock;
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
  public void raise(Set<Long> seen) throws IOException {
    List<FileRecord> gone = new ArrayList<>();
    long[] raided = {0};
    for (FileState state :
        List.of(FileState.COMMITTED, FileState.REDUCED, FileState.RAIDED, FileState.UNRAIDING)) {
      List<FileRecord> doubtful = new ArrayList<>();
      catalog
          .files()
          .withStatus(
              state,
              -1,
              file -> {
                raided[0]++;
                if (!seen.contains(reconciler.parityOf(file.inode()))) {
                  doubtful.add(file);
                }
                return true;
              });
      for (FileRecord file : doubtful) {
        if (parity.find(reconciler.parityOf(file.inode())).isEmpty()) {
          gone.add(file);
        }
      }
    }
    if (gone.size() <= Math.max(FEW, raided[0] * FEW_PERCENT / 100)) {
      catalog.notes().remove(NOTE);
      raise(gone);
    } else {
      brake(gone);
    }
  }

  private void raise(List<FileRecord> files) {
    reconciler.unprotected(
        files.stream().map(FileRecord::inode).toList(),
        "Its parity file is gone from HDFS",
        "integrity check");
  }

  private void brake(List<FileRecord> gone) throws IOException {
    Instant began = clock.instant();
    Instant since = current(catalog.notes()).map(Loss::since).orElse(began);
    LOG.error(
        "The parity of {} files is gone at once. Their replication is raised slowly, and not above {} % of the cluster's space",
        gone.size(), MOST_FULL);
    gone.sort(Comparator.comparingInt(VanishedParity::replicas));
    int raised = 0;
    boolean full = isFull();
    while (raised < gone.size() && !full && clock.instant().isBefore(began.plus(LONGEST))) {
      List<FileRecord> batch = gone.subList(raised, Math.min(gone.size(), raised + BATCH));
      raise(batch);
      raised += batch.size();
      catalog.notes().record(NOTE, new Loss(since, gone.size(), raised, false));
      pause.of(PAUSE);
      full = isFull();
    }
    catalog.notes().record(NOTE, new Loss(since, gone.size(), raised, full));
  }

  /** Those with one replica are lost with one disk. */
  private static int replicas(FileRecord file) {
    return file.parity().map(Parity::targetReplication).orElse(1);
  }

  private boolean isFull() throws IOException {
    SpaceUsage space = spaces.of(CLUSTER);
    return space.total() > 0 && space.used() > space.total() / 100 * MOST_FULL;
  }
}
