package io.hdfsraid.raidnode.recency;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.raidapi.SourceView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.namespace.NamespaceIndex;
import io.hdfsraid.raidnode.catalog.namespace.Rebuilt;
import io.hdfsraid.raidnode.catalog.namespace.Relisted;
import io.hdfsraid.raidnode.catalog.namespace.Relisting;
import io.hdfsraid.raidnode.namespace.Inode;
import io.hdfsraid.raidnode.recency.RecencyRules.Way;
import io.hdfsraid.raidnode.recency.audit.AuditLog;
import io.hdfsraid.raidnode.recency.source.SourceState;
import io.hdfsraid.raidnode.recency.source.TrackingNotes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps the index of the namespace true to HDFS by the sources there are, and knows how far it can
 * be believed. Safe for concurrent use; one thread at a time takes in.
 */
public final class Recency implements SourceReports {
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /** Listings are as often as scans: each night, as a rule. */
  private static final Duration BETWEEN_LISTINGS = Duration.ofDays(2);

  private static final int SWEPT_AT_ONCE = 20_000;
  private static final int MOST_IDENTIFIED = 1_000_000;
  private static final int MOST_DIRECTORIES = 10_000;

  private final NamespaceIndex index;
  private final Notes notes;
  private final NamespaceSources cluster;
  private final RecencyRules rules;
  private final Clock clock;
  private final ImageSource image;
  private final EditLogFollower edits;
  private final Optional<AuditLog> audit;
  private final AtimeSource atime;
  private final Sources sources;

  /** What the edit log has told of reads. */
  private final EarliestAccess recorded = new EarliestAccess();

  /** The namespace is listed until an image can be read. */
  private volatile boolean listed;

  /** The last transaction when all was taken in that the NameNode had written. */
  private volatile long caughtUpAt = Long.MAX_VALUE;

  /** When that was. */
  private volatile Instant caughtUp = Instant.MIN;

  /** Nothing is read yet. */
  public Recency(Catalog catalog, NamespaceSources cluster, RecencyRules rules, Clock clock) {
    this.index = catalog.namespace();
    this.notes = catalog.notes();
    this.cluster = cluster;
    this.rules = rules;
    this.clock = clock;
    IndexSink sink =
        new IndexSink(
            catalog, recorded, new RaidedReads(catalog, cluster.readLocality(), clock), clock);
    TrackingNotes tracking = new NotedTracking(notes);
    this.image = new ImageSource(index, notes, cluster, rules.scratch(), clock);
    this.edits = new EditLogFollower(cluster.editLog(), sink, image::ask, rules.ownRoot(), clock);
    this.audit =
        rules.auditLogs().map(log -> new AuditLog(log, sink, tracking, cluster.ownReads(), clock));
    ClockWatch clocks = new ClockWatch(clock, System::nanoTime);
    this.atime = new AtimeSource(cluster.accessTimes(), tracking, this::atimeBegan, clocks, clock);
    countAccesses();
    this.listed = rules.way() == Way.LISTING;
    List<Sources.Watched> watched = new ArrayList<>();
    watched.add(new Sources.Watched(this::accessTimes, PATIENCE));
    if (rules.way() == Way.IMAGE) {
      watched.add(new Sources.Watched(edits::state, PATIENCE));
    }
    audit.ifPresent(log -> watched.add(new Sources.Watched(log::state, PATIENCE)));
    this.sources = new Sources(watched, clocks, clock);
  }

  /** Without an audit log to be believed, recorded access times are all there is to be counted. */
  private void countAccesses() {
    index.accessesAreTold(audit.filter(log -> log.state().problem().isEmpty()).isPresent());
  }

  private Optional<Instant> atimeBegan() {
    return rules.atimeSince().or(() -> notes.instant(Notes.TRACKING_START));
  }

  /** Access times are known as far as the files are that have them. */
  private SourceState accessTimes() {
    Optional<Instant> until = listed ? notes.instant(Notes.LAST_LISTING) : edits.state().heard();
    Duration patience = listed ? BETWEEN_LISTINGS : PATIENCE;
    Optional<String> problem =
        until.isEmpty()
            ? Optional.of("They have not been taken in yet")
            : until.get().plus(patience).isBefore(clock.instant())
                ? Optional.of("They are known up to " + until.get() + " only")
                : Optional.empty();
    return atime.state().orProblem(problem);
  }

  /**
   * Makes the index as the namespace is now.
   *
   * @return how many entries are gone that were there before
   */
  public synchronized long refresh() throws IOException {
    atime.look();
    return rules.way() == Way.LISTING ? relist() : reread();
  }

  /** Takes in what has happened since; to be called every few seconds. */
  public synchronized void follow() throws IOException, InterruptedException {
    countAccesses();
    if (rules.way() == Way.IMAGE && !listed) {
      if (edits.awaitsImage()) {
        image.ask("The edit log goes on later than the last image ends");
      }
      boolean unused = image.readIfAsked(edits.gap());
    }
    // What is told of paths that nobody knows yet would be lost.
    boolean known = listed ? hasListed() : catchUp();
    if (audit.isPresent() && known) {
      audit.get().follow();
    }
    index.sweep(SWEPT_AT_ONCE);
  }

  /**
   * Takes in what has happened while nobody followed, as far as HDFS tells.
   *
   * @return whether it is all, so that what is cold can be told
   */
  public synchronized boolean prepare() throws IOException, InterruptedException {
    atime.look();
    Instant end = clock.instant().plus(PATIENCE);
    long before;
    do {
      before = index.transaction().orElse(-1);
      follow();
    } while (!isCurrent()
        && index.transaction().orElse(-1) > before
        && clock.instant().isBefore(end));
    return isCurrent();
  }

  private boolean hasListed() {
    return notes.instant(Notes.LAST_LISTING).isPresent();
  }

  /**
   * Whether the index is as the namespace was a short while ago. It is not while it is filled for
   * the first time, from when an image has been taken in until the edits after it have been, and
   * while edits are missing or have not been read for long: then audit logs tell of files that it
   * does not know, or knows elsewhere.
   */
  boolean isCurrent() {
    return listed
        ? hasListed()
        : index.transaction().orElse(-1) >= caughtUpAt
            && !edits.awaitsImage()
            && clock.instant().isBefore(caughtUp.plus(PATIENCE));
  }

  /** The namespace is known by listings, which may be a day old. */
  public boolean isListed() {
    return listed;
  }

  /** Looks whether sources and clocks can be believed; to be called every minute. */
  public void watch() {
    sources.tick();
    atime.look();
  }

  private long relist() throws IOException {
    Instant began = clock.instant();
    EarliestAccess times = new EarliestAccess();
    Relisting relisting = index.relist();
    cluster
        .directories()
        .read(
            (directory, parent, children) -> {
              for (Inode child : children) {
                if (child instanceof Inode.File file) {
                  times.look(file.attributes());
                }
              }
              relisting.directory(directory, parent, children);
            });
    Relisted relisted = relisting.end();
    times.note(notes);
    notes.instant(Notes.LAST_LISTING, began);
    return relisted.removed();
  }

  private long reread() throws IOException {
    Optional<Instant> read = notes.instant(Notes.LAST_IMAGE);
    if (index.transaction().isEmpty() || read.isEmpty()) {
      return rebuildOrRelist();
    }
    if (!catchUp()) {
      return 0;
    }
    if (read.get().plus(rules.rereadAfter()).isBefore(clock.instant())) {
      if (image.read("It was read last at " + read.get(), edits.gap())) {
        boolean unused = catchUp();
      }
    }
    identify();
    return 0;
  }

  /** Without an image there is the listing, with which no edits can be followed. */
  private long rebuildOrRelist() throws IOException {
    if (image.read("The namespace has not been read yet", edits.gap())) {
      listed = false;
      boolean unused = catchUp();
      identify();
      return 0;
    }
    listed = true;
    return relist();
  }

  /**
   * The edit log tells of new files by their paths only. What is new is not cold, so nobody waits
   * for their numbers, and a night's directories are listed at most so many at a time.
   */
  private void identify() throws IOException {
    if (!isCurrent()) {
      return;
    }
    Set<String> directories = new LinkedHashSet<>();
    OptionalLong unused =
        index.page(
            Long.MIN_VALUE,
            MOST_IDENTIFIED,
            file -> {
              if (file.provisional()) {
                directories.add(
                    file.path().substring(0, Math.max(1, file.path().lastIndexOf('/'))));
              }
              return file.provisional() && directories.size() < MOST_DIRECTORIES;
            });
    identify(directories);
  }

  /**
   * An image may be hours old: what has happened since stands in the edit log.
   *
   * @return whether nothing is left there
   */
  private boolean catchUp() throws InterruptedIOException {
    try {
      boolean all = edits.follow();
      recorded.note(notes);
      if (all) {
        caughtUpAt = index.transaction().orElse(Long.MAX_VALUE);
        caughtUp = clock.instant();
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted after the image was read");
    }
  }

  /**
   * Finds out about the files of these directories of which the index knows no more than their
   * paths. Does nothing while it is behind: then HDFS may speak of others.
   */
  public synchronized void list(List<String> directories) throws IOException {
    if (!listed && catchUp()) {
      identify(directories);
    }
  }

  /** The directories above may be as new, and are needed first. */
  private void identify(Collection<String> directories) throws IOException {
    Set<String> parentsFirst = new TreeSet<>();
    for (String directory : directories) {
      for (String path = directory;
          parentsFirst.add(path) && !path.equals("/");
          path = path.substring(0, Math.max(1, path.lastIndexOf('/')))) {}
    }
    cluster.directories().read(List.copyOf(parentsFirst), index::identify);
  }

  /** Since when accesses are known, as far as it is known. */
  public AccessTracking tracking() {
    if (!isCurrent()) {
      Instant known = caughtUp;
      return AccessTracking.NONE.inDoubt(
          "What has happened since %s is not known yet"
              .formatted(known.equals(Instant.MIN) ? "the namespace was read last" : known));
    }
    AccessTracking tracking = sources.tracking().grained(atime.precision().orElse(Duration.ZERO));
    if (tracking.since().isEmpty()) {
      for (String problem : sources.problems()) {
        tracking = tracking.inDoubt(problem);
      }
      return tracking;
    }
    Optional<Instant> counted =
        sources.states().stream()
            .filter(state -> state.name().equals(AuditLog.SOURCE) && state.problem().isEmpty())
            .flatMap(state -> state.since().stream())
            .findFirst();
    return counted.isPresent() ? tracking.counting(counted.get()) : tracking;
  }

  /** Each source, for people. */
  public List<SourceView> sources() {
    List<SourceView> views = new ArrayList<>(sources.views());
    views.add(
        new SourceView(
            listed ? "listing" : "image",
            Optional.empty(),
            notes.instant(listed ? Notes.LAST_LISTING : Notes.LAST_IMAGE),
            image.problem().orElse("")));
    return views;
  }

  @Override
  public List<SourceState> states() {
    return sources.states();
  }

  @Override
  public Optional<Rebuilt> lastRebuilt() {
    return image.lastRebuilt();
  }
}
