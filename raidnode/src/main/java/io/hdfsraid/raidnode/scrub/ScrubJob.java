package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.ScrubLedger.Backlog;
import io.hdfsraid.raidnode.catalog.ScrubLedger.Position;
import io.hdfsraid.raidnode.catalog.ScrubRecord;
import io.hdfsraid.raidnode.catalog.ScrubRecord.Progress;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.repair.IntegrityJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks all stripes at one depth, at the rate that its DataNodes allow. Stripes that were never
 * checked come first, then those whose last check is longest ago. Progress is stored in the catalog
 * for each stripe, so an interrupted run continues. A parity file is checked for one minute at a
 * time, so that a large file or a slow node does not hold up others. Losses go to the repair
 * ledger.
 */
public final class ScrubJob {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubJob.class);
  private static final String BACKGROUND = "scrub";
  private static final Duration SLICE = Duration.ofMinutes(1);

  /** So many are taken before anything is written about how far the pass has come. */
  private static final int BATCH = 64;

  /** After so long the walk begins anew, for new parity comes first. */
  private static final Duration WALK = Duration.ofMinutes(10);

  private static final int MOST_NAMED = 5;

  private final ScrubDepth depth;
  private final Duration every;
  private final Duration retryAfter;
  private final StripeScrub look;
  private final ParityStore parity;
  private final Namespace namespace;
  private final IntegrityCheck check;
  private final IntegrityJob integrity;
  private final ReconcileJob reconciler;
  private final Catalog catalog;
  private final Workers workers;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;

  /**
   * How often everything is scrubbed.
   *
   * @param presenceEvery a stripe is asked for again no sooner than this; zero: never
   * @param deepEvery a stripe is read again no sooner than this; zero: never
   * @param firstRead by when newly raided stripes should have been read: later is a problem that is
   *     shown
   */
  public record Settings(Duration presenceEvery, Duration deepEvery, Duration firstRead) {
    public Duration every(ScrubDepth depth) {
      return depth == ScrubDepth.DEEP ? deepEvery : presenceEvery;
    }
  }

  /**
   * A scrub at one depth.
   *
   * @param integrity puts what is found into the repair ledger
   */
  public ScrubJob(
      ScrubDepth depth,
      Settings settings,
      StripeScrub look,
      ParityStore parity,
      Namespace namespace,
      IntegrityCheck check,
      IntegrityJob integrity,
      ReconcileJob reconciler,
      Catalog catalog,
      Workers workers,
      Journal journal,
      RaidEvents events,
      Clock clock) {
    this.depth = depth;
    this.every = settings.every(depth);
    this.retryAfter = depth == ScrubDepth.DEEP ? Duration.ofDays(1) : Duration.ofHours(1);
    this.look = look;
    this.parity = parity;
    this.namespace = namespace;
    this.check = check;
    this.integrity = integrity;
    this.reconciler = reconciler;
    this.catalog = catalog;
    this.workers = workers;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
  }

  /** How far the scrub has come, or how the last one ended; empty when there was none. */
  public static Optional<ScrubPass> pass(ScrubDepth depth, Notes notes) {
    return notes.record(note(depth), ScrubPass.class);
  }

  private static String note(ScrubDepth depth) {
    return "scrub-" + depth.tag();
  }

  /**
   * Looks at all that is due.
   *
   * @return how many parity files were looked at to their end
   * @throws IOException when nothing can be looked at any more, as when the NameNode is away
   */
  public synchronized long run() throws IOException {
    if (every.isZero()) {
      return 0;
    }
    long files = 0;
    Position from = Position.first(depth);
    Instant walkEnds = clock.instant().plus(WALK);
    while (true) {
      Instant began = clock.instant();
      List<ScrubRecord> next = due(from, began);
      if (next.isEmpty()) {
        if (from.after().isEmpty()) {
          break;
        }
        from = Position.first(depth); // what was met meanwhile, or was left after its slice
        continue;
      }
      ScrubPass pass = passUnderWay(began);
      Tally tally = new Tally();
      tally.failed = workers.inOrder(tasks(next, tally));
      pass = tally.add(pass, Duration.between(began, clock.instant()));
      write(pass);
      files += tally.files;
      if (tally.failed == next.size()) {
        throw new IOException(
            "None of %d parity files could be scrubbed; the log says why".formatted(next.size()));
      }
      from = new Position(depth, Optional.of(next.get(next.size() - 1)));
      if (clock.instant().isAfter(walkEnds)) {
        from = Position.first(depth);
        walkEnds = clock.instant().plus(WALK);
      }
    }
    pass(depth, catalog.notes())
        .filter(pass -> pass.ended().isEmpty())
        .ifPresent(pass -> write(pass.end(clock.instant())));
    return files;
  }

  private List<ScrubRecord> due(Position from, Instant now) {
    return catalog.scrubs().due(from, now.minus(every), now, BATCH);
  }

  private ScrubPass passUnderWay(Instant now) {
    return pass(depth, catalog.notes())
        .filter(pass -> pass.ended().isEmpty())
        .orElseGet(
            () -> {
              Backlog backlog = catalog.scrubs().backlog(depth, now.minus(every), now);
              return ScrubPass.begin(now, backlog.files(), backlog.bytes());
            });
  }

  private void write(ScrubPass pass) {
    catalog.notes().record(note(depth), pass);
  }

  private List<Workers.Task> tasks(List<ScrubRecord> records, Tally tally) {
    List<Workers.Task> tasks = new ArrayList<>();
    records.forEach(record -> tasks.add(() -> visit(record, tally)));
    return tasks;
  }

  /** One parity file, for one slice of time. */
  private void visit(ScrubRecord record, Tally tally) throws IOException {
    try {
      Optional<ParityFile> found = parity.find(record.id());
      if (found.isPresent()) {
        scrub(record, found.get(), tally);
      } else {
        catalog.scrubs().remove(record.id());
        catalog.rotten().forget(record.parityInode());
      }
    } catch (IOException | RuntimeException e) {
      if (isInterrupt(e)) {
        throw e; // where it was cut off it goes on
      }
      LOG.atWarn()
          .addKeyValue("parity", record.id())
          .addKeyValue("depth", depth.tag())
          .setCause(e)
          .log("scrub failed; it will be tried again");
      postpone(record.id());
      throw e;
    }
  }

  /** A time limit of a connection is an {@link InterruptedIOException}, too, and says less. */
  private static boolean isInterrupt(Exception e) {
    return e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
  }

  private void postpone(long id) {
    catalog
        .scrubs()
        .update(
            id,
            known -> known.with(depth, known.at(depth).postpone(clock.instant().plus(retryAfter))));
  }

  private void scrub(ScrubRecord before, ParityFile file, Tally tally) throws IOException {
    if (depth == ScrubDepth.DEEP && file.phase() != ParityPhase.REDUCED) {
      // Most of its replicas are about to go, or it is.
      postpone(before.id());
      return;
    }
    Instant began = clock.instant();
    List<LocatedStripe> stripes = check.locate(file);
    Optional<ScrubRecord> record = seen(before, file, stripes);
    if (record.isEmpty()) {
      return;
    }
    int first = record.get().at(depth).next();
    Account account = new Account();
    for (int index = first; index < stripes.size(); index++) {
      if (index > first && clock.instant().isAfter(began.plus(SLICE))) {
        account.writeDown(before.id(), BACKGROUND, tally);
        return;
      }
      boolean gaps = account.look(before.id(), file, stripes.get(index));
      int next = index + 1;
      catalog
          .scrubs()
          .update(before.id(), known -> known.with(depth, known.at(depth).upTo(next, gaps, began)));
    }
    account.writeDown(before.id(), BACKGROUND, tally);
    Instant retry = clock.instant().plus(retryAfter);
    Optional<ScrubRecord> after =
        catalog
            .scrubs()
            .update(before.id(), known -> known.with(depth, known.at(depth).finish(began, retry)));
    tally.finished(after.flatMap(known -> known.at(depth).retryAt()).isPresent());
  }

  private Optional<ScrubRecord> seen(
      ScrubRecord before, ParityFile file, List<LocatedStripe> stripes) {
    long inode = file.file().inode();
    if (before.parityInode() != inode) {
      catalog.rotten().forget(before.parityInode());
    }
    long bytes = stripes.stream().mapToLong(ScrubJob::bytes).sum();
    return catalog
        .scrubs()
        .update(before.id(), known -> known.seen(inode, bytes, file.file().modified()));
  }

  /** What a deep look at a stripe reads: every live replica of every unit. */
  public static long bytes(LocatedStripe stripe) {
    return stripe.units().stream().mapToLong(unit -> unit.length() * replicas(unit)).sum();
  }

  /** How many replicas a look at a stripe asks for. */
  public static long replicas(LocatedStripe stripe) {
    return stripe.units().stream().mapToLong(ScrubJob::replicas).sum();
  }

  private static long replicas(StripeUnit unit) {
    return unit.located()
        .filter(located -> unit.state() == UnitState.LIVE)
        .map(LocatedBlock::live)
        .map(List::size)
        .orElse(0);
  }

  /**
   * Looks at the stripes of a file, or of a group, now and to their end, and writes a line of
   * history, whatever it finds.
   *
   * @param inode of a file, or the id of a group: of a file in a group, the stripes it has blocks
   *     in
   */
  public void scrub(long inode, String by) throws IOException {
    long id = reconciler.parityOf(inode);
    Optional<ParityFile> found = parity.find(id);
    if (found.isEmpty()) {
      return;
    }
    ParityFile file = found.get();
    Instant began = clock.instant();
    Account account = new Account();
    boolean gaps = false;
    List<LocatedStripe> stripes = stripesOf(inode, file);
    Instant located = began;
    try {
      for (int i = 0; i < stripes.size(); i++) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException(
              "Cancelled after %d of %d stripes".formatted(i, stripes.size()));
        }
        if (clock.instant().isAfter(located.plus(SLICE))) {
          // Locating takes calls for each file, so not for each stripe; nor is it good for ever.
          located = clock.instant();
          stripes = stripesOf(inode, file);
        }
        gaps |= account.look(id, file, stripes.get(i));
      }
    } catch (IOException | RuntimeException e) {
      journal.failed(BACKGROUND, inode, e, by);
      throw e;
    }
    account.tell(inode, by);
    if (!gaps && stripes.size() == file.manifest().stripes().size()) {
      Progress done = Progress.NONE.finish(began, began);
      catalog.scrubs().update(id, known -> known.with(depth, done));
    }
  }

  /** The stripes that a request for this file is about. */
  public List<LocatedStripe> stripesOf(long inode) throws IOException {
    Optional<ParityFile> file = parity.find(reconciler.parityOf(inode));
    return file.isPresent() ? stripesOf(inode, file.get()) : List.of();
  }

  private List<LocatedStripe> stripesOf(long inode, ParityFile file) throws IOException {
    return GroupId.isGroup(inode) || reconciler.parityOf(inode) == inode
        ? check.locate(file)
        : check.locate(file, Set.of(inode));
  }

  /** What looking at some stripes of one parity file came to. Used by one thread. */
  private final class Account {
    private final List<UnitFinding> bad = new ArrayList<>();
    private long badReplicas;
    private long stripes;
    private long bytes;
    private long gaps;
    private long reported;

    /** Looks at one stripe; answers whether some node did not answer. */
    boolean look(long id, ParityFile file, LocatedStripe stripe) throws IOException {
      StripeScrub.Seen seen = look.at(stripe, new BlockLookup(namespace, file));
      State state = seen.health().state();
      // That it is healthy says nothing about what others have found while it was looked at, and
      // whoever repairs judges anew. So losses are only added here.
      if (state == State.DEGRADED || state == State.UNRECOVERABLE) {
        integrity.note(id, seen.health());
      }
      List<UnitFinding> found = seen.bad();
      found.stream().limit(MOST_NAMED - (long) bad.size()).forEach(bad::add);
      badReplicas += found.size();
      stripes++;
      bytes += seen.bytes();
      gaps += seen.gaps() ? 1 : 0;
      reported += seen.reported();
      events.scrubbed(depth, stripe);
      return seen.gaps();
    }

    void writeDown(long id, String by, Tally tally) {
      tally.add(stripes, bytes, badReplicas);
      if (badReplicas > 0) {
        tell(id, by);
      }
    }

    void tell(long inode, String by) {
      String path =
          catalog
              .files()
              .find(inode)
              .map(file -> file.facts().path())
              .orElseGet(
                  () ->
                      GroupId.isGroup(inode)
                          ? new GroupId(inode).toString()
                          : "/.reserved/.inodes/" + inode);
      journal.note(
          "scrubbed",
          Optional.of(inode),
          path,
          badReplicas == 0 && gaps == 0,
          by,
          sentence(),
          bytes,
          0);
      if (badReplicas > 0) {
        LOG.atWarn()
            .addKeyValue("path", path)
            .addKeyValue("depth", depth.tag())
            .addKeyValue("bad", badReplicas)
            .log(sentence());
      }
    }

    private String sentence() {
      String seen =
          depth == ScrubDepth.DEEP
              ? "Read %d stripes, %d bytes: ".formatted(stripes, bytes)
              : "Asked for %d stripes: ".formatted(stripes);
      String unknown = gaps == 0 ? "" : "; of %d stripes some node did not answer".formatted(gaps);
      String told = reported == 0 ? "" : "; the NameNode was told of %d".formatted(reported);
      return badReplicas == 0
          ? seen + "all that could be seen is as recorded" + unknown
          : seen
              + "%d bad: ".formatted(badReplicas)
              + bad.stream().map(UnitFinding::message).collect(Collectors.joining("; "))
              + (badReplicas > bad.size() ? "; and more" : "")
              + told
              + unknown;
    }
  }

  /** Sums up what many threads do. */
  private static final class Tally {
    private long files;
    private long stripes;
    private long bytes;
    private long bad;
    private long gaps;
    private long failed;

    synchronized void add(long moreStripes, long moreBytes, long moreBad) {
      stripes += moreStripes;
      bytes += moreBytes;
      bad += moreBad;
    }

    synchronized void finished(boolean withGaps) {
      files++;
      gaps += withGaps ? 1 : 0;
    }

    synchronized ScrubPass add(ScrubPass pass, Duration took) {
      return new ScrubPass(
          pass.began(),
          pass.ended(),
          pass.files() + files,
          Math.max(pass.allFiles(), pass.files() + files),
          pass.stripes() + stripes,
          pass.bytes() + bytes,
          Math.max(pass.allBytes(), pass.bytes() + bytes),
          pass.bad() + bad,
          pass.gaps() + gaps,
          pass.failed() + failed,
          pass.worked().plus(took));
    }
  }
}
