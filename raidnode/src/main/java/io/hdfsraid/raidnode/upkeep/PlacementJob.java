// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.blockfixer.placement.FilePlacement;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.ScrubRecord;
import io.hdfsraid.raidnode.journal.AuditPass;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * Audits the placement of all raided files at a limited rate. New nodes, the HDFS balancer,
 * decommissioned nodes and repairs can put units of one stripe on the same node. The job goes
 * through the files of the catalog by inode id; the integrity check keeps the catalog in line with
 * HDFS. It stores its progress and continues after an interruption. It also counts the parity bytes
 * on each node.
 */
public final class PlacementJob {
  /** Name of the note of how far the audit has come. */
  static final String PASS = "placement-audit";

  /** Name of the note of how much parity each node holds. */
  static final String PARITY_BYTES = "parity-bytes";

  /** Name of the note of when that was counted. */
  static final String COUNTED_AT = "parity-bytes-counted";

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Catalog catalog;
  private final ReconcileJob reconciler;
  private final Workers workers;
  private final ParityBytes parity;
  private final IntSupplier filesPerSecond;
  private final Pause pause;
  private final RaidEvents events;
  private final Clock clock;

  /** Waits for so long. */
  @FunctionalInterface
  public interface Pause {
    void of(Duration duration) throws InterruptedIOException;

    /** Sleeps. */
    static void sleep(Duration duration) throws InterruptedIOException {
      try {
        Thread.sleep(duration.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while pausing between audits");
      }
    }
  }

  /**
   * Creates the job.
   *
   * @param parity receives the bytes of parity of each node at the end of a complete audit
   * @param filesPerSecond the limit; it may change at any time
   */
  public PlacementJob(
      Catalog catalog,
      ReconcileJob reconciler,
      Workers workers,
      ParityBytes parity,
      IntSupplier filesPerSecond,
      Pause pause,
      RaidEvents events,
      Clock clock) {
    this.catalog = catalog;
    this.reconciler = reconciler;
    this.workers = workers;
    this.parity = parity;
    this.filesPerSecond = filesPerSecond;
    this.pause = pause;
    this.events = events;
    this.clock = clock;
    catalog.notes().text(PARITY_BYTES).ifPresent(text -> parity.counted(parse(text)));
  }

  /** How far the audit has come, or how the last one ended; empty when there was none. */
  public static Optional<AuditPass> pass(Notes notes) {
    return notes.record(PASS, AuditPass.class);
  }

  /** When the parity of all nodes was last counted; empty when it never was. */
  public static Optional<Instant> countedAt(Notes notes) {
    return notes.instant(COUNTED_AT);
  }

  /** Goes through all files, or through those that an earlier run has not come to. */
  public synchronized void run() throws IOException {
    Optional<AuditPass> known = pass(catalog.notes()).filter(pass -> pass.ended().isEmpty());
    // If the counts of an earlier run are lost, this audit reports no bytes of parity.
    boolean countsAll = known.isEmpty();
    AuditPass pass = known.orElseGet(() -> AuditPass.begin(clock.instant(), raided()));
    Map<DataNode, Long> counted = new HashMap<>();
    NodeTallies tallies = new NodeTallies();
    Set<Long> groupsSeen = new HashSet<>();
    while (true) {
      Instant started = clock.instant();
      List<Long> next = next(pass.after(), Math.max(1, filesPerSecond.getAsInt()));
      if (next.isEmpty()) {
        break;
      }
      Tally tally = audit(next, groupsSeen, counted, tallies);
      Duration took = since(started);
      if (took.compareTo(SECOND) < 0) {
        pause.of(SECOND.minus(took));
      }
      pass = tally.add(pass, next, since(started));
      note(pass);
    }
    if (countsAll) {
      parity.counted(counted);
      catalog.notes().text(PARITY_BYTES, text(counted));
      tallies.keep(catalog.notes());
      catalog.notes().instant(COUNTED_AT, clock.instant());
    }
    note(pass.end(clock.instant()));
  }

  /** Never negative, though the clock may be set back: the pause would be as long. */
  private Duration since(Instant started) {
    Duration passed = Duration.between(started, clock.instant());
    return passed.isNegative() ? Duration.ZERO : passed;
  }

  private void note(AuditPass pass) {
    catalog.notes().record(PASS, pass);
    events.audited(pass);
  }

  private long raided() {
    return catalog.files().totals().stream()
        .filter(total -> isAudited(total.state()))
        .mapToLong(total -> total.files())
        .sum();
  }

  private static boolean isAudited(FileState status) {
    return status == FileState.RAIDED || status == FileState.REDUCED;
  }

  /** The next files of both states, merged by inode id. */
  private List<Long> next(long after, int most) {
    List<Long> found = new ArrayList<>();
    for (FileState status : List.of(FileState.RAIDED, FileState.REDUCED)) {
      int[] taken = {0};
      catalog
          .files()
          .withStatus(
              status,
              after,
              file -> {
                found.add(file.inode());
                taken[0]++;
                return taken[0] < most;
              });
    }
    return found.stream().sorted().distinct().limit(most).toList();
  }

  /**
   * Audits these files; a group as a whole, when the pass meets the first of its members.
   *
   * @param groupsSeen in this pass by this run; grows
   */
  private Tally audit(
      List<Long> inodes, Set<Long> groupsSeen, Map<DataNode, Long> counted, NodeTallies tallies)
      throws IOException {
    Tally tally = new Tally(tallies);
    List<Workers.Task> tasks = new ArrayList<>();
    for (long inode : inodes) {
      long id = reconciler.parityOf(inode);
      if (id == inode || groupsSeen.add(id)) {
        tasks.add(
            () ->
                reconciler.reconcile(
                    id,
                    "placement audit",
                    outcome -> tally.count(outcome, catalog.scrubs().find(id))));
      }
    }
    tally.failed = workers.inOrder(tasks);
    tally.parity.forEach((node, bytes) -> counted.merge(node, bytes, Long::sum));
    return tally;
  }

  /** Sums up the audits of some files, which many threads work on. */
  private static final class Tally {
    private long stripes;
    private long sharing;
    private long crowding;
    private long stuck;
    private long moved;
    private long failed;
    private final Map<DataNode, Long> parity = new HashMap<>();
    private final NodeTallies nodes;

    Tally(NodeTallies nodes) {
      this.nodes = nodes;
    }

    synchronized void count(RaidOutcome outcome, Optional<ScrubRecord> scrubs) {
      moved += outcome.unitsMoved();
      if (outcome.spread().isPresent()) {
        FilePlacement spread = outcome.spread().get();
        stripes += spread.stripes();
        sharing += spread.sharingNode();
        crowding += spread.crowdingRack();
        stuck += spread.stuck();
        spread.parityBytes().forEach((node, bytes) -> parity.merge(node, bytes, Long::sum));
        nodes.add(spread.dataBytes(), spread.parityBytes(), scrubs);
      }
    }

    AuditPass add(AuditPass pass, List<Long> inodes, Duration took) {
      return new AuditPass(
          pass.began(),
          Optional.empty(),
          inodes.get(inodes.size() - 1),
          pass.files() + inodes.size(),
          Math.max(pass.all(), pass.files() + inodes.size()),
          pass.stripes() + stripes,
          pass.sharing() + sharing,
          pass.crowding() + crowding,
          pass.stuck() + stuck,
          pass.moved() + moved,
          pass.failed() + failed,
          pass.worked().plus(took));
    }
  }

  private static String text(Map<DataNode, Long> bytes) {
    StringBuilder text = new StringBuilder();
    bytes.forEach((node, count) -> text.append(node.uuid()).append(' ').append(count).append('\n'));
    return text.toString();
  }

  /** Nodes are identified by their uuids. Their locations do not matter here. */
  private static Map<DataNode, Long> parse(String text) {
    Map<DataNode, Long> bytes = new HashMap<>();
    text.lines()
        .map(line -> line.split(" "))
        .filter(fields -> fields.length == 2)
        .forEach(
            fields -> bytes.put(new DataNode(fields[0], "", "", ""), Long.parseLong(fields[1])));
    return bytes;
  }
}
