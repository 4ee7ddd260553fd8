// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.recency.RecencyOptions.Mode;
import io.hdfsraid.recency.auditlog.AuditLog;
import io.hdfsraid.recency.editlog.EditLogFollower;
import io.hdfsraid.recency.index.ListingResult;
import io.hdfsraid.recency.index.ListingUpdate;
import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.index.RebuildResult;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.source.AccessTimeSource;
import io.hdfsraid.recency.source.ClockWatch;
import io.hdfsraid.recency.source.SourceMonitor;
import io.hdfsraid.recency.source.SourceState;
import io.hdfsraid.recency.source.Timestamps;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the index of the namespace true to HDFS, from all configured sources, and knows since when
 * accesses are known. Safe for concurrent use; one thread at a time updates the index.
 */
public final class Recency implements RecencyStatus {
  private static final Logger LOG = LoggerFactory.getLogger(Recency.class);

  /** How long a standby NameNode may still have what was undone when the namespace was set back. */
  private static final Duration UNDONE = Duration.ofDays(30);

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /** Usually every directory is listed each night. */
  private static final Duration BETWEEN_LISTINGS = Duration.ofDays(2);

  /** The beginning of an audit log that was not read yet. */
  private static final Instant NOT_KNOWN_YET = Instant.ofEpochMilli(Long.MAX_VALUE - 1);

  private static final int SWEPT_AT_ONCE = 20_000;
  private static final int MOST_IDENTIFIED = 1_000_000;
  private static final int MOST_DIRECTORIES = 10_000;

  /** Directories that wait to be looked up soon; about as many as one request may name. */
  private static final int MOST_UNCLEAR = 10_000;

  /** Each of them and of its parents costs a listing, while nobody follows the edit log. */
  private static final int MOST_AT_ONCE = 100;

  private final NamespaceIndex index;
  private final Timestamps timestamps;
  private final NamespaceSources cluster;
  private final RecencyOptions rules;
  private final Clock clock;
  private final IndexSink sink;
  private final ImageSource image;
  private final EditLogFollower edits;
  private final Optional<AuditLog> audit;
  private final AccessTimeSource atime;
  private final SourceMonitor sources;

  /** The reads that the edit log has reported. */
  private final EarliestRecordedAccess recorded = new EarliestRecordedAccess();

  /** Whether the namespace is known from listings, because no image could be read. */
  private volatile boolean listed;

  /** Since when the audit logs report every access; empty if they do not. */
  private volatile Optional<Instant> reportedSince = Optional.empty();

  /** Directories with files whose inode ids somebody wants to know soon. */
  private final Set<String> unclear = ConcurrentHashMap.newKeySet();

  /** The last transaction when the edit log was followed to its end. */
  private volatile long caughtUpAt = Long.MAX_VALUE;

  /** The time at which the edit log was followed to its end. */
  private volatile Instant caughtUp = Instant.MIN;

  /**
   * Connects the sources with the index. Nothing is read yet.
   *
   * @param timestamps keeps when images and listings were read, and since when accesses are known
   * @param reads receives the reads that audit logs report
   */
  public Recency(
      NamespaceIndex index,
      Timestamps timestamps,
      ReadListener reads,
      NamespaceSources cluster,
      RecencyOptions rules,
      Clock clock) {
    this.index = index;
    this.timestamps = timestamps;
    this.cluster = cluster;
    this.rules = rules;
    this.clock = clock;
    this.sink = new IndexSink(index, recorded, reads, clock);
    this.image = new ImageSource(index, timestamps, cluster, rules.scratch(), clock);
    this.edits = new EditLogFollower(cluster.editLog(), sink, image::ask, rules.ownRoot(), clock);
    this.audit =
        rules
            .auditLogs()
            .map(log -> new AuditLog(log, sink, timestamps, cluster.ownReads(), clock));
    ClockWatch clocks = new ClockWatch(clock, System::nanoTime);
    this.atime =
        new AccessTimeSource(cluster.accessTimes(), timestamps, this::atimeBegan, clocks, clock);
    countAccesses();
    if (timestamps.instant(Timestamps.LAST_SET_BACK).isPresent() && !timestamps.isNamespaceRead()) {
      readAnew("The namespace was set back before this start");
    }
    this.listed = rules.mode() == Mode.LISTING;
    List<SourceMonitor.Watched> watched = new ArrayList<>();
    watched.add(new SourceMonitor.Watched(this::accessTimes, PATIENCE));
    if (rules.mode() == Mode.IMAGE) {
      watched.add(new SourceMonitor.Watched(edits::state, PATIENCE));
    }
    audit.ifPresent(log -> watched.add(new SourceMonitor.Watched(log::state, PATIENCE)));
    this.sources = new SourceMonitor(watched, clocks, clock);
  }

  /**
   * Goes by the audit logs as long as they are complete, and else by the access times that HDFS
   * records. Those that were not counted are in the next image.
   */
  private void countAccesses() {
    Optional<SourceState> complete =
        audit.map(AuditLog::state).filter(state -> state.problem().isEmpty());
    Optional<Instant> reported = complete.flatMap(SourceState::since);
    if (reportedSince.isPresent() && reported.isEmpty()) {
      image.ask("The audit logs are not complete any more, so access times count again");
    } else if (reported.isPresent() && reportedSince.filter(reported.get()::isAfter).isPresent()) {
      image.ask(
          "The audit logs are complete from a later time on, so access times before it count");
    }
    reportedSince = reported;
    index.accessesAreReportedSince(complete.map(log -> log.since().orElse(NOT_KNOWN_YET)));
  }

  /**
   * Returns whether an access time that HDFS shows tells of an access that counts. While audit logs
   * report every access, it may be that of a read that does not count, unless the logs are not
   * known up to then.
   */
  public boolean isEvidence(Instant accessTime) {
    return reportedSince.filter(since -> !accessTime.isBefore(since)).isEmpty()
        || audit
            .flatMap(log -> log.state().knownUntil())
            .filter(known -> !accessTime.isAfter(known))
            .isEmpty();
  }

  private Optional<Instant> atimeBegan() {
    return rules.atimeSince().or(() -> timestamps.instant(Timestamps.TRACKING_START));
  }

  /** Access times are known up to the time up to which the files are known. */
  private SourceState accessTimes() {
    Optional<Instant> until =
        listed ? timestamps.instant(Timestamps.LAST_LISTING) : edits.state().knownUntil();
    Duration patience = listed ? BETWEEN_LISTINGS : PATIENCE;
    Optional<String> problem =
        until.isEmpty()
            ? Optional.of("They have not been read yet")
            : until.get().plus(patience).isBefore(clock.instant())
                ? Optional.of("They are known up to " + until.get() + " only")
                : Optional.empty();
    return atime.state().orProblem(problem);
  }

  /**
   * Brings the index up to the present state of the namespace.
   *
   * @return how many entries were removed
   */
  public synchronized long refresh() throws IOException {
    atime.look();
    return rules.mode() == Mode.LISTING ? relist() : reread();
  }

  /** Follows all sources up to the present. Called every few seconds. */
  public synchronized void follow() throws IOException, InterruptedException {
    countAccesses();
    if (rules.mode() == Mode.IMAGE && !listed) {
      if (edits.awaitsImage()) {
        image.ask("The edit log goes on later than the last image ends");
      }
      if (image.readIfAsked(origin(), edits.gap())) {
        edits.imageWasRead();
      }
    }
    // Accesses to paths that the index does not know yet would be lost.
    boolean known = listed ? hasListed() : catchUp();
    if (audit.isPresent() && known) {
      audit.get().follow();
      identifyReads();
    }
    if (known && !listed) {
      identifyUnclear();
    }
    index.runDeferredTasks(SWEPT_AT_ONCE);
  }

  private void identifyReads() {
    try {
      sink.identify(listed ? Optional.empty() : Optional.of(cluster.files()));
    } catch (IOException e) {
      if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
        Thread.currentThread().interrupt();
      }
      LOG.debug("New files that were read by their inode ids are asked for later", e);
    }
  }

  /** A failure is not tried again: the next refresh looks these files up, too. */
  private void identifyUnclear() {
    Set<String> directories =
        unclear.stream().limit(MOST_AT_ONCE).collect(Collectors.toUnmodifiableSet());
    if (directories.isEmpty()) {
      return;
    }
    unclear.removeAll(directories);
    try {
      identify(directories);
    } catch (IOException e) {
      if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
        Thread.currentThread().interrupt();
      }
      LOG.debug("New files of {} are looked up by the next scan", directories, e);
    }
  }

  /**
   * Follows the sources after a time without following, for up to half an hour.
   *
   * @return whether the index is current, so that cold files can be chosen
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
    return timestamps.instant(Timestamps.LAST_LISTING).isPresent();
  }

  /**
   * Returns whether the index is current. It is not while it is filled for the first time, between
   * an image and the edits after it, and while edits are missing or have not been read for long.
   * Audit logs may then report files that the index does not know or knows in another place.
   */
  boolean isCurrent() {
    return listed
        ? hasListed()
        : index.transaction().orElse(-1) >= caughtUpAt
            && !edits.awaitsImage()
            && clock.instant().isBefore(caughtUp.plus(PATIENCE));
  }

  /**
   * Says that the namespace was set back to an earlier state since another process followed it: the
   * index knows files that do not exist any more, and the numbers of transactions are used again.
   * An image is read before anything else, or all is listed; if not by this process, by the next
   * one. To be called before anything is followed.
   */
  public void wasSetBack(String because) {
    timestamps.setBack(clock.instant());
    readAnew(because);
  }

  private void readAnew(String because) {
    edits.wasSetBack(because);
    image.ask(because);
  }

  /**
   * Returns whether the edit log has reported every change of a file since the given time, up to
   * now. An image tells of no changes.
   */
  public boolean reportsChangesSince(Instant then) {
    return !listed
        && isCurrent()
        && timestamps.instant(Timestamps.LAST_IMAGE).filter(then::isAfter).isPresent();
  }

  /** Returns whether the namespace is known from listings, which may be a day old. */
  public boolean isListed() {
    return listed;
  }

  /** Checks sources and clocks. Called every minute. */
  public void watch() {
    sources.tick();
    atime.look();
  }

  private long relist() throws IOException {
    Instant began = clock.instant();
    EarliestRecordedAccess times = new EarliestRecordedAccess();
    ListingUpdate relisting = index.relist();
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
    ListingResult relisted = relisting.end();
    times.note(timestamps);
    timestamps.instant(Timestamps.LAST_LISTING, began);
    return relisted.removed();
  }

  private long reread() throws IOException {
    Optional<Instant> read = timestamps.instant(Timestamps.LAST_IMAGE);
    if (index.transaction().isEmpty() || read.isEmpty()) {
      return rebuildOrRelist();
    }
    if (!catchUp()) {
      return 0;
    }
    if (read.get().plus(rules.rereadAfter()).isBefore(clock.instant())) {
      if (readImage("It was read last at " + read.get())) {
        boolean unused = catchUp();
      }
    }
    identify();
    return 0;
  }

  /**
   * Reads an image, or lists every directory if there is none. Edits can be followed only after an
   * image.
   */
  private long rebuildOrRelist() throws IOException {
    if (readImage("The namespace has not been read yet")) {
      listed = false;
      boolean unused = catchUp();
      identify();
      return 0;
    }
    listed = true;
    return relist();
  }

  private boolean readImage(String because) throws InterruptedIOException {
    boolean read = image.read(because, origin(), edits.gap());
    if (read) {
      edits.imageWasRead();
    }
    return read;
  }

  private ImageOrigin origin() {
    return timestamps
            .instant(Timestamps.LAST_SET_BACK)
            .filter(noticed -> noticed.plus(UNDONE).isAfter(clock.instant()))
            .isPresent()
        ? ImageOrigin.ACTIVE
        : ImageOrigin.ANY;
  }

  /**
   * Looks up the inode ids of new files, because the edit log contains only their paths. New files
   * are not cold, so this is not urgent, and the number of directories is limited.
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
   * Follows the edit log.
   *
   * @return whether the end of the log was reached
   */
  private boolean catchUp() throws InterruptedIOException {
    try {
      boolean all = edits.follow();
      recorded.note(timestamps);
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
   * Looks up the inode ids and attributes of files in these directories of which the index knows
   * only the paths. Does nothing while the index is behind, because HDFS may have other files at
   * these paths by now.
   */
  public synchronized void list(List<String> directories) throws IOException {
    if (!listed && catchUp()) {
      identify(directories);
    }
  }

  /**
   * Has {@link #follow} look up new files of this directory as {@link #list} does. Never waits.
   * What is too much at a time is left to the next {@link #refresh}, as all is while the namespace
   * is known from listings.
   */
  public void listSoon(String directory) {
    if (!listed && unclear.size() < MOST_UNCLEAR) {
      unclear.add(directory);
    }
  }

  /** Parent directories may be new, too, and must be identified first. */
  private void identify(Collection<String> directories) throws IOException {
    Set<String> parentsFirst = new TreeSet<>();
    for (String directory : directories) {
      for (String path = directory;
          parentsFirst.add(path) && !path.equals("/");
          path = path.substring(0, Math.max(1, path.lastIndexOf('/')))) {}
    }
    cluster.directories().read(List.copyOf(parentsFirst), index::identify);
  }

  /** Returns since when accesses are known, with the reasons for doubt. */
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

  /** Returns the state of each source of accesses, and of the listing or image. */
  public List<SourceState> sources() {
    List<SourceState> all = new ArrayList<>(sources.states());
    all.add(
        new SourceState(
            listed ? "listing" : "image",
            Optional.empty(),
            "",
            timestamps.instant(listed ? Timestamps.LAST_LISTING : Timestamps.LAST_IMAGE),
            Optional.empty(),
            Duration.ZERO,
            image.problem(),
            Map.of()));
    return all;
  }

  @Override
  public List<SourceState> states() {
    return sources.states();
  }

  @Override
  public Optional<RebuildResult> lastRebuilt() {
    return image.lastRebuilt();
  }
}
