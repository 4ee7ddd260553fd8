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
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
  private static final Duration BETWEEN_IMAGES = Duration.ofMinutes(5);
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

  /** An image that could not be read is not asked for again before. */
  private Instant notBefore = Instant.MIN;

  private volatile Optional<String> withoutImage = Optional.empty();
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
    this.audit = rules.auditLogs().map(settings -> new AuditLog(settings, sink, tracking, clock));
    this.atime = new AtimeSource(cluster.accessTimes(), tracking, this::atimeBegan, clock);
    List<Sources.Watched> watched = new ArrayList<>();
    watched.add(new Sources.Watched(atime::state, PATIENCE));
    if (rules.way() == Way.IMAGE) {
      watched.add(new Sources.Watched(edits::state, PATIENCE));
    }
    audit.ifPresent(log -> watched.add(new Sources.Watched(log::state, PATIENCE)));
    this.sources = new Sources(watched, new ClockWatch(clock, System::nanoTime), clock);
  }

  private Optional<Instant> atimeBegan() {
    return rules.atimeSince().or(() -> notes.instant(Notes.TRACKING_START));
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
    if (rules.way() == Way.IMAGE) {
      String because = asked.get();
      if (because != null && withoutImage.isEmpty() && !clock.instant().isBefore(notBefore)) {
        notBefore = clock.instant().plus(BETWEEN_IMAGES); // unless it comes to a good end
        rebuild(because);
        notBefore = Instant.MIN;
      }
      edits.follow();
      recorded.at().ifPresent(this::recordedSince);
    }
    if (audit.isPresent()) {
      audit.get().follow();
    }
    index.sweep(SWEPT_AT_ONCE);
  }

  /** Looks whether sources and clocks can be believed; to be called every minute. */
  public void watch() {
    sources.tick();
    atime.look();
  }

  private long relist() throws IOException {
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
    return relisted.removed();
  }

  private long reread() throws IOException {
    Optional<Instant> read = notes.instant(Notes.LAST_IMAGE);
    if (index.transaction().isEmpty() || read.isEmpty()) {
      return rebuildOrRelist();
    }
    catchUp();
    identify();
    return read.get().plus(rules.rereadAfter()).isAfter(clock.instant())
        ? 0
        : rebuild("It was read last at " + read.get());
  }

  /** Without an image there is the listing, with which no edits can be followed. */
  private long rebuildOrRelist() throws IOException {
    try {
      return rebuild("The namespace has not been read yet");
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      withoutImage =
          Optional.of("No image of the namespace can be read, so it is listed: " + e.getMessage());
      LOG.atWarn().setCause(e).log("No image can be read; the namespace is listed instead");
      return relist();
    }
  }

  /**
   * The edit log tells of new files by their paths only. What is new is not cold, so nobody waits
   * for their numbers, and a night's directories are listed at most so many at a time.
   */
  private void identify() throws IOException {
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
    list(List.copyOf(directories));
  }

  private long rebuild(String because) throws IOException {
    Instant began = clock.instant();
    LOG.atInfo().addKeyValue("because", because).log("The NameNode's image is read");
    EarliestAccess times = new EarliestAccess();
    Rebuilt rebuilt;
    try {
      rebuilt = index.rebuild(times.over(cluster.image(rules.scratch())), (phase, inodes) -> {});
    } finally {
      removeImages();
    }
    asked.set(null);
    withoutImage = Optional.empty();
    notes.instant(Notes.LAST_IMAGE, began);
    times.at().ifPresent(this::recordedSince);
    lastRebuilt = Optional.of(rebuilt);
    LOG.atInfo()
        .addKeyValue("files", rebuilt.files())
        .addKeyValue("transaction", rebuilt.transaction())
        .addKeyValue("drift", rebuilt.drift())
        .addKeyValue("took", Duration.between(began, clock.instant()))
        .log("The NameNode's image is taken in");
    catchUp();
    identify();
    return 0;
  }

  private void removeImages() throws IOException {
    try (DirectoryStream<Path> images =
        Files.newDirectoryStream(Files.createDirectories(rules.scratch()), "fsimage_*")) {
      for (Path image : images) {
        Files.delete(image);
      }
    }
  }

  /** An image may be hours old: what has happened since stands in the edit log. */
  private void catchUp() throws IOException {
    try {
      edits.follow();
      recorded.at().ifPresent(this::recordedSince);
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
   * Finds out about files of which the index knows no more than their paths. The directories above
   * them may be as new, and are needed first.
   */
  public void list(List<String> directories) throws IOException {
    Set<String> parentsFirst = new TreeSet<>();
    for (String directory : directories) {
      for (String path = directory;
          parentsFirst.add(path) && !path.equals("/");
          path = path.substring(0, Math.max(1, path.lastIndexOf('/')))) {}
    }
    Relisting relisting = index.relist();
    for (String directory : parentsFirst) {
      cluster.directories().read(directory, relisting::directory);
    }
  }

  /** Since when accesses are known, as far as it is known. */
  public AccessTracking tracking() {
    AccessTracking tracking = sources.tracking();
    if (tracking.since().isEmpty()) {
      for (String problem : sources.problems()) {
        tracking = tracking.inDoubt(problem);
      }
      return tracking;
    }
    Optional<Instant> counted = audit.flatMap(log -> log.state().since());
    return counted.isPresent() ? tracking.counting(counted.get()) : tracking;
  }

  /** Each source, for people. */
  public List<SourceView> sources() {
    List<SourceView> views = new ArrayList<>(sources.views());
    boolean listed = rules.way() == Way.LISTING || withoutImage.isPresent();
    views.add(
        new SourceView(
            listed ? "listing" : "image",
            Optional.empty(),
            notes.instant(listed ? Notes.LAST_SCAN : Notes.LAST_IMAGE),
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
