package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.Spread;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.raid.Outcome;
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
 * Audits the placement of all raided files, at a pace: new nodes, HDFS's balancer, decommissioned
 * nodes and repairs put units where others of the stripe are. Goes through the files by inode id,
 * as the catalog lists them (the integrity check sees to it that it lists what HDFS has), writes
 * down how far it has come, and goes on there when it was cut off. On the way it counts how much
 * parity lies on each node.
 */
public final class PlacementRound {
  /** Name of the note of how far the audit has come. */
  static final String PASS = "placement-audit";

  /** Name of the note of how much parity each node holds. */
  static final String PARITY_BYTES = "parity-bytes";

  /** Name of the note of when that was counted. */
  static final String COUNTED_AT = "parity-bytes-counted";

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Catalog catalog;
  private final AttendRound attending;
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
   * An audit of what a catalog lists.
   *
   * @param parity is told how much parity each node holds, when all has been counted
   * @param filesPerSecond at most; may change at any time
   */
  public PlacementRound(
      Catalog catalog,
      AttendRound attending,
      Workers workers,
      ParityBytes parity,
      IntSupplier filesPerSecond,
      Pause pause,
      RaidEvents events,
      Clock clock) {
    this.catalog = catalog;
    this.attending = attending;
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
    // What an earlier run has counted is not known any more: then nothing is concluded.
    boolean countsAll = known.isEmpty();
    AuditPass pass = known.orElseGet(() -> AuditPass.begin(clock.instant(), raided()));
    Map<DataNode, Long> counted = new HashMap<>();
    Set<Long> groupsMet = new HashSet<>();
    while (true) {
      Instant started = clock.instant();
      List<Long> next = next(pass.after(), Math.max(1, filesPerSecond.getAsInt()));
      if (next.isEmpty()) {
        break;
      }
      Tally tally = audit(next, groupsMet, counted);
      Duration took = Duration.between(started, clock.instant());
      if (took.compareTo(SECOND) < 0) {
        pause.of(SECOND.minus(took));
      }
      pass = tally.add(pass, next, Duration.between(started, clock.instant()));
      note(pass);
    }
    if (countsAll) {
      parity.counted(counted);
      catalog.notes().text(PARITY_BYTES, text(counted));
      catalog.notes().instant(COUNTED_AT, clock.instant());
    }
    note(pass.end(clock.instant()));
  }

  private void note(AuditPass pass) {
    catalog.notes().record(PASS, pass);
    events.audited(pass);
  }

  private long raided() {
    return catalog.files().totals().stream()
        .filter(total -> isAudited(total.status()))
        .mapToLong(total -> total.files())
        .sum();
  }

  private static boolean isAudited(FileStatus status) {
    return status == FileStatus.RAIDED || status == FileStatus.REDUCED;
  }

  /** The next files of both states, merged by inode id. */
  private List<Long> next(long after, int most) {
    List<Long> found = new ArrayList<>();
    for (FileStatus status : List.of(FileStatus.RAIDED, FileStatus.REDUCED)) {
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
   * @param groupsMet in this pass by this run; grows
   */
  private Tally audit(List<Long> inodes, Set<Long> groupsMet, Map<DataNode, Long> counted)
      throws IOException {
    Tally tally = new Tally();
    List<Workers.Task> tasks = new ArrayList<>();
    for (long inode : inodes) {
      long id = attending.parityOf(inode);
      if (id == inode || groupsMet.add(id)) {
        tasks.add(() -> attending.attend(id, "placement audit", tally::count));
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

    synchronized void count(Outcome outcome) {
      moved += outcome.unitsMoved();
      if (outcome.spread().isPresent()) {
        Spread spread = outcome.spread().get();
        stripes += spread.stripes();
        sharing += spread.sharingNode();
        crowding += spread.crowdingRack();
        stuck += spread.stuck();
        spread.parityBytes().forEach((node, bytes) -> parity.merge(node, bytes, Long::sum));
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

  /** Nodes are told apart by their uuids; where they are does not matter here. */
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
