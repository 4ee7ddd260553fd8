package io.hdfsraid.raidnode.recency;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.raidapi.SourceView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.namespace.NamespaceIndex;
import io.hdfsraid.raidnode.catalog.namespace.Rebuilt;
import io.hdfsraid.raidnode.catalog.namespace.Relisted;
import io.hdfsraid.raidnode.catalog.namespace.Relisting;
import io.hdfsraid.raidnode.namespace.Image;
import io.hdfsraid.raidnode.namespace.Inode;
import io.hdfsraid.raidnode.recency.RecencyRules.Way;
import io.hdfsraid.raidnode.recency.audit.AuditLog;
import io.hdfsraid.raidnode.recency.source.SourceState;
import io.hdfsraid.raidnode.recency.source.TrackingNotes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the index of the namespace true to HDFS by the sources there are, and knows how far it can
 * be believed. Safe for concurrent use; one thread at a time takes in.
 */
public final class Recency implements SourceReports {
  private static final Logger LOG = LoggerFactory.getLogger(Recency.class);
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /** Listings are as often as scans: each night, as a rule. */
  private static final Duration BETWEEN_LISTINGS = Duration.ofDays(2);

  private static final Duration AFTER_A_FAILED_IMAGE = Duration.ofMinutes(5);

  /** One is made an hour, as a rule: what the last did not close the next may. */
  private static final Duration BETWEEN_IMAGES = Duration.ofHours(1);

  private static final int SWEPT_AT_ONCE = 20_000;
  private static final int MOST_IDENTIFIED = 1_000_000;
  private static final int MOST_DIRECTORIES = 10_000;

  private final NamespaceIndex index;
  private final Notes notes;
  private final NamespaceSources cluster;
  private final RecencyRules rules;
  private final Clock clock;
  private final EditLogFollower edits;
  private final Optional<AuditLog> audit;
  private final AtimeSource atime;
  private final Sources sources;

  /** What the edit log has told of reads. */
  private final EarliestAccess recorded = new EarliestAccess();

  /** Why an image is to be read; null when none is. */
  private final AtomicReference<String> asked = new AtomicReference<>();

  /** No image is read again before. */
  private Instant notBefore = Instant.MIN;

  /** Why the last image could not be read. */
  private volatile Optional<String> withoutImage = Optional.empty();

  /** The namespace is listed until an image can be read. */
  private volatile boolean listed;

  /** The last transaction when all was taken in that the NameNode had written. */
  private volatile long caughtUpAt = Long.MAX_VALUE;

  private volatile Optional<Rebuilt> lastRebuilt = Optional.empty();

  /** Nothing is read yet. */
  public Recency(Catalog catalog, NamespaceSources cluster, RecencyRules rules, Clock clock) {
    this.index = catalog.namespace();
    this.notes = catalog.notes();
    this.cluster = cluster;
    this.rules = rules;
    this.clock = clock;
    IndexSink sink = new IndexSink(index, recorded, clock);
    TrackingNotes tracking = new NotedTracking(notes);
    this.edits = new EditLogFollower(cluster.editLog(), sink, asked::set, rules.ownRoot(), clock);
    this.audit =
        rules.auditLogs().map(log -> new AuditLog(log, sink, tracking, cluster.ownReads(), clock));
    this.atime = new AtimeSource(cluster.accessTimes(), tracking, this::atimeBegan, clock);
    this.listed = rules.way() == Way.LISTING;
    List<Sources.Watched> watched = new ArrayList<>();
    watched.add(new Sources.Watched(this::accessTimes, PATIENCE));
    if (rules.way() == Way.IMAGE) {
      watched.add(new Sources.Watched(edits::state, PATIENCE));
    }
    audit.ifPresent(log -> watched.add(new Sources.Watched(log::state, PATIENCE)));
    this.sources = new Sources(watched, new ClockWatch(clock, System::nanoTime), clock);
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
    if (rules.way() == Way.IMAGE && !listed) {
      if (edits.awaitsImage()) {
        asked.compareAndSet(null, "The edit log goes on later than the last image ends");
      }
      String because = asked.get();
      if (because != null && isTime()) {
        boolean unused = rebuildIfPossible(because);
      } else {
        boolean unused = catchUp();
      }
    }
    // What is told of files that nobody knows yet would be lost.
    if (audit.isPresent() && (listed ? hasListed() : isCurrent())) {
      audit.get().follow();
    }
    index.sweep(SWEPT_AT_ONCE);
  }

  private boolean hasListed() {
    return notes.instant(Notes.LAST_LISTING).isPresent();
  }

  /**
   * Whether the index is as the namespace was a short while ago. It is not while it is filled for
   * the first time, and from when an image has been taken in until the edits after it have been.
   */
  boolean isCurrent() {
    return listed ? hasListed() : index.transaction().orElse(-1) >= caughtUpAt;
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
    times.at().ifPresent(this::recordedSince);
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
    if (read.get().plus(rules.rereadAfter()).isBefore(clock.instant()) && isTime()) {
      boolean unused = rebuildIfPossible("It was read last at " + read.get());
    }
    identify();
    return 0;
  }

  /** Without an image there is the listing, with which no edits can be followed. */
  private long rebuildOrRelist() throws IOException {
    if (isTime() && rebuildIfPossible("The namespace has not been read yet")) {
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

  private boolean isTime() {
    return !clock.instant().isBefore(notBefore);
  }

  /**
   * An image that cannot be had is a problem that is shown, and no reason not to go on with what is
   * known.
   */
  private boolean rebuildIfPossible(String because) throws IOException {
    try {
      rebuild(because);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      notBefore = clock.instant().plus(AFTER_A_FAILED_IMAGE);
      withoutImage = Optional.of("No image of the namespace can be read: " + e.getMessage());
      LOG.atWarn()
          .addKeyValue("again", notBefore)
          .addKeyValue("because", e.getMessage())
          .log("No image can be read");
      LOG.debug("No image can be read", e);
      return false;
    }
    boolean unused = catchUp();
    return true;
  }

  private void rebuild(String because) throws IOException {
    Instant began = clock.instant();
    LOG.atInfo().addKeyValue("because", because).log("The NameNode's image is read");
    EarliestAccess times = new EarliestAccess();
    Rebuilt rebuilt;
    try {
      Image image = cluster.image(rules.scratch());
      requireNewer(image);
      rebuilt = index.rebuild(times.over(image), (phase, inodes) -> {});
    } finally {
      removeImages();
    }
    asked.set(null);
    notBefore = clock.instant().plus(BETWEEN_IMAGES);
    withoutImage = Optional.empty();
    listed = false;
    notes.instant(Notes.LAST_IMAGE, began);
    times.at().ifPresent(this::recordedSince);
    lastRebuilt = Optional.of(rebuilt);
    LOG.atInfo()
        .addKeyValue("files", rebuilt.files())
        .addKeyValue("transaction", rebuilt.transaction())
        .addKeyValue("drift", rebuilt.drift())
        .addKeyValue("took", Duration.between(began, clock.instant()))
        .log("The NameNode's image is taken in");
  }

  /** The gap that is to be closed begins where the index ends. */
  private void requireNewer(Image image) throws IOException {
    long known = index.transaction().orElse(-1);
    if (edits.awaitsImage() && image.transaction() == known) {
      throw new IOException(
          "The latest one ends with transaction %d, as the one before: let the NameNode make another (hdfs dfsadmin -saveNamespace)"
              .formatted(known));
    }
  }

  private void removeImages() throws IOException {
    try (DirectoryStream<Path> images =
        Files.newDirectoryStream(Files.createDirectories(rules.scratch()), "fsimage_*")) {
      for (Path image : images) {
        Files.delete(image);
      }
    }
  }

  /**
   * An image may be hours old: what has happened since stands in the edit log.
   *
   * @return whether nothing is left there
   */
  private boolean catchUp() throws InterruptedIOException {
    try {
      boolean all = edits.follow();
      recorded.at().ifPresent(this::recordedSince);
      if (all) {
        caughtUpAt = index.transaction().orElse(Long.MAX_VALUE);
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted after the image was read");
    }
  }

  private void recordedSince(Instant start) {
    if (notes.instant(Notes.TRACKING_START).map(start::isBefore).orElse(true)) {
      notes.instant(Notes.TRACKING_START, start);
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
      return AccessTracking.NONE.inDoubt(
          "What has happened since the namespace was read last is not known yet");
    }
    AccessTracking tracking = sources.tracking();
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
            withoutImage.orElse("")));
    return views;
  }

  @Override
  public List<SourceState> states() {
    return sources.states();
  }

  @Override
  public Optional<Rebuilt> lastRebuilt() {
    return lastRebuilt;
  }
}
