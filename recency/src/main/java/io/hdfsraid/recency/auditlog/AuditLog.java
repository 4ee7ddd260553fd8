// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.InodeAccess;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.source.AccessBatch;
import io.hdfsraid.recency.source.AccessSink;
import io.hdfsraid.recency.source.ProbeRead;
import io.hdfsraid.recency.source.SourceState;
import io.hdfsraid.recency.source.Timestamps;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the audit logs of NameNodes, which record who opened which file. Each log continues at
 * the watermark of the sink, even if its file was renamed, copied and truncated, compressed or sent
 * to another machine since. If the position is not found any more, accesses were missed and the
 * tracking of the log begins anew. One thread calls {@link #follow}; the other methods are safe for
 * concurrent use.
 *
 * <p>Existing tailers identify a file by its path or its inode: {@code Tailer} of Apache Commons IO
 * loses the lines between its last look and a rotation, keeps no position over a restart, and reads
 * a copied file again.
 */
public final class AuditLog {
  /** The name of the source. */
  public static final String SOURCE = "audit-log";

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** The size of the buffer, and so the length of the longest line. */
  private static final int CHUNK = 1 << 20;

  /** Roughly how many bytes one call reads, because the other sources wait for it. */
  private static final long AT_ONCE = 64L << 20;

  /** If unread lines are older than this, files may look colder than they are. */
  private static final Duration TOO_LATE = Duration.ofMinutes(30);

  private static final String INODES = "/.reserved/.inodes/";
  private static final String RAW = "/.reserved/raw";
  private static final String SNAPSHOT = "/.snapshot";

  private final AuditLogSettings settings;
  private final AuditLogNames live;
  private final AccessSink sink;
  private final Timestamps timestamps;
  private final Clock clock;
  private final AuditLineReader lines;
  private final IgnoredReaders.Judge ignored;
  private final DamagedLines damaged;
  private final LivenessProbe echo;
  private final String belowOwnRoot;
  private final long atOnce;
  private final byte[] buffer = new byte[CHUNK];
  private final Map<Path, LogFiles> files = new HashMap<>();

  /**
   * Logs whose position was not found at the last look. If it is not found at the next, there is a
   * gap.
   */
  private final Set<Path> doubtful = new HashSet<>();

  /** Logs that were followed and not found at the last look; they may be renamed just now. */
  private Set<Path> vanished = Set.of();

  /** Logs whose tracking begins with the next line. */
  private final Set<Path> beginning = new HashSet<>();

  /**
   * Compressed files that were not read to their end. They stay open, because a seek would read
   * them again.
   */
  private final Map<Path, Paused> paused = new HashMap<>();

  /** How many bytes of the present log this call may still read. */
  private long left;

  /**
   * A file that the next call continues.
   *
   * @param offset the position reached
   */
  private record Paused(LogFile file, long offset, LogFile.Content content) {}

  // The accesses of the present chunk.
  private List<Access> byPath = new ArrayList<>();
  private List<InodeAccess> byInode = new ArrayList<>();

  /** The time of the last line that was read of this log. */
  private long newestHere;

  private final Map<Path, Long> newestOf = new HashMap<>();

  /** Times up to this one were not in the future when the clock was read last. */
  private long notToCome = Long.MIN_VALUE;

  // Guarded by this: values that other threads read.
  private final Map<Path, String> problems = new LinkedHashMap<>();
  private List<Path> logs = List.of();
  private String position = "";
  private long newest;
  private Instant atEnd;
  private boolean behind;

  /** Logs that were not read to their end: how much is left, and up to when they are known. */
  private final Map<Path, Rest> rests = new LinkedHashMap<>();

  /**
   * The unread rest of a log.
   *
   * @param bytes compressed size for a compressed file
   */
  private record Rest(long bytes, Instant known) {}

  private long read;
  private long accesses;
  private long ignoredReads;
  private long snapshotReads;
  private long ownReads;
  private long unresolved;
  private long unknown;
  private long gaps;

  /**
   * @param own a read that must appear in the logs
   */
  public AuditLog(
      AuditLogSettings settings,
      AccessSink sink,
      Timestamps timestamps,
      ProbeRead own,
      Clock clock) {
    this(settings, sink, timestamps, own, clock, AT_ONCE);
  }

  /** Reads another amount with one call. */
  AuditLog(
      AuditLogSettings settings,
      AccessSink sink,
      Timestamps timestamps,
      ProbeRead own,
      Clock clock,
      long atOnce) {
    this.atOnce = atOnce;
    this.settings = settings;
    this.live = new AuditLogNames(settings.logs());
    this.sink = sink;
    this.timestamps = timestamps;
    this.clock = clock;
    this.lines = new AuditLineReader(settings.zone(), clock, this::opened);
    this.ignored = settings.ignored().judge();
    this.damaged = new DamagedLines(clock);
    this.echo = new LivenessProbe(own, clock);
    this.belowOwnRoot = settings.ownRoot() + "/";
    this.atEnd = clock.instant();
    this.logs = positions().logs(); // which another process has followed
  }

  /**
   * Reads new lines, up to a limit so that other sources do not wait long; the next call continues.
   * If a log cannot be read, the {@linkplain #state state} shows the problem and the other logs are
   * read.
   *
   * @throws IOException if the sink fails
   * @throws InterruptedException if the thread is interrupted
   */
  public void follow() throws IOException, InterruptedException {
    synchronized (this) {
      behind = true;
    }
    echo.call();
    List<Path> known = positions().logs();
    List<Path> found = live.find(known);
    Map<Path, String> wrong = new LinkedHashMap<>(missing(known, found));
    for (Path log : found) {
      left = atOnce / found.size();
      try {
        follow(log);
        if (!Files.exists(log)) {
          wrong.put(log, "%s is not there".formatted(log));
        }
      } catch (SinkException e) {
        throw e.getCause();
      } catch (NoSuchFileException e) {
        wrong.put(log, "%s is not there".formatted(log));
      } catch (IOException e) {
        if (Thread.interrupted()) { // which closes the file
          InterruptedException interrupted = new InterruptedException("Interrupted at " + log);
          interrupted.initCause(e);
          throw interrupted;
        }
        wrong.put(log, "%s cannot be read: %s".formatted(log, e));
      }
    }
    if (found.isEmpty()) {
      wrong.put(Path.of("/"), "No file matches %s".formatted(settings.logs()));
    }
    noteEnd(found, wrong);
  }

  /**
   * Returns logs that were followed, are still configured, and are found neither now nor at the
   * last look.
   */
  private Map<Path, String> missing(List<Path> known, List<Path> found) {
    Set<Path> gone = new HashSet<>();
    for (Path log : known) {
      if (!found.contains(log) && live.mean(log) && !AuditLogNames.goesOn(log, known)) {
        gone.add(log);
      }
    }
    Map<Path, String> missing = new LinkedHashMap<>();
    for (Path log : gone) {
      if (vanished.contains(log)) {
        missing.put(log, "%s was followed and is not found any more".formatted(log));
      }
    }
    vanished = gone;
    return missing;
  }

  private synchronized void noteEnd(List<Path> found, Map<Path, String> wrong) {
    wrong.forEach(
        (log, text) -> {
          if (!text.equals(problems.get(log))) {
            LOG.atWarn().addKeyValue("because", text).log("An audit log is not followed");
          }
        });
    problems.clear();
    problems.putAll(wrong);
    logs = found;
    rests.keySet().retainAll(found);
    behind = !rests.isEmpty();
    if (!behind) {
      atEnd = clock.instant();
    }
  }

  private LogPositions positions() {
    Optional<Watermark> watermark = sink.watermark(SOURCE);
    try {
      return watermark.isEmpty()
          ? LogPositions.none()
          : LogPositions.parse(watermark.get().position());
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "The index has no valid position of the audit logs: delete the catalog, it will be"
              + " rebuilt",
          e);
    }
  }

  private void follow(Path log) throws IOException, InterruptedException {
    List<LogFile> there = files.computeIfAbsent(log, path -> new LogFiles(path, lines)).inOrder();
    Optional<LogPosition> stands = positions().of(log);
    if (stands.isEmpty()) {
      beginning.add(log);
      long oldest = clock.instant().minus(settings.history()).toEpochMilli();
      readAll(log, there.stream().filter(file -> file.modified() >= oldest).toList(), 0);
      return;
    }
    LogPosition at = stands.get();
    Optional<LogFile> here = there.stream().filter(at::isIn).findFirst();
    if (here.isPresent() && !here.get().endsBefore(at.offset())) {
      doubtful.remove(log);
      readAll(log, there.subList(there.indexOf(here.get()), there.size()), at.offset());
      return;
    }
    List<LogFile> later =
        there.stream().filter(file -> file.start() >= at.start() && !at.isIn(file)).toList();
    if (later.isEmpty()) {
      return; // nothing was written since: perhaps its directory is not mounted
    }
    if (doubtful.add(log)) {
      return; // the file may have been renamed just now
    }
    doubtful.remove(log);
    begin(log, clock.instant());
    beginning.add(log);
    synchronized (this) {
      gaps++;
    }
    LOG.atWarn()
        .addKeyValue("log", log)
        .addKeyValue("place", at.text())
        .log("The file that was read last is gone: accesses were missed");
    readAll(log, later, 0);
  }

  private void readAll(Path log, List<LogFile> inOrder, long offsetInFirst)
      throws IOException, InterruptedException {
    newestHere = newestOf.getOrDefault(log, 0L);
    for (int i = 0; i < inOrder.size(); i++) {
      boolean last = i == inOrder.size() - 1;
      LogFile file = inOrder.get(i);
      switch (read(log, file, i == 0 ? offsetInFirst : 0, last ? Fate.GROWS : Fate.CLOSED)) {
        case CHANGED -> {
          return;
        }
        case PAUSED -> {
          noteRest(log, file, inOrder.subList(i + 1, inOrder.size()));
          return;
        }
        case ENDED -> {}
      }
    }
    noteRest(log, 0);
  }

  private void noteRest(Path log, LogFile file, List<LogFile> later) {
    long offset = positions().of(log).map(LogPosition::offset).orElse(0L);
    long bytes = file.packed() ? file.size() : Math.max(0, file.size() - offset);
    for (LogFile one : later) {
      bytes += one.size();
    }
    noteRest(log, bytes);
  }

  /** The earlier note counts until then, so that nothing looks cold while a log is read. */
  private synchronized void noteRest(Path log, long bytes) {
    if (bytes > 0) {
      rests.put(log, new Rest(bytes, Instant.ofEpochMilli(newestHere)));
    } else {
      rests.remove(log);
    }
  }

  /** Why the reading of a file ended. */
  private enum End {
    ENDED,
    /** The next call continues. */
    PAUSED,
    /** The file changed meanwhile; the next look finds out how. */
    CHANGED
  }

  /** Whether a file still grows. */
  private enum Fate {
    GROWS,
    CLOSED
  }

  private End read(Path log, LogFile file, long from, Fate fate)
      throws IOException, InterruptedException {
    LogFile.Content content = open(log, file, from);
    try {
      long base = from; // of the buffer, in the file
      int filled = 0;
      boolean tooLong = false;
      for (int got = content.read(buffer, 0); got > 0; got = content.read(buffer, filled)) {
        int end = filled + got;
        int lineStart = 0;
        for (int i = filled; i < end; i++) {
          if (buffer[i] == '\n') {
            if (tooLong) {
              damaged.add(file.path(), base + lineStart, LineProblem.LENGTH);
              tooLong = false;
            } else {
              line(log, file, base, lineStart, i);
            }
            lineStart = i + 1;
          }
        }
        if (lineStart > 0) {
          if (!content.isTheSame()) {
            discard();
            return End.CHANGED;
          }
          hand(log, LogPosition.in(file, base + lineStart));
          System.arraycopy(buffer, lineStart, buffer, 0, end - lineStart);
          filled = end - lineStart;
          base += lineStart;
          left -= lineStart;
          if (left <= 0) {
            if (file.packed()) {
              content.unread(buffer, 0, filled);
              paused.put(log, new Paused(file, base, content));
            }
            return End.PAUSED;
          }
        } else if (end == buffer.length) {
          tooLong = true; // taken in when its end is found
          base += end;
          filled = 0;
        } else {
          filled = end;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException("Interrupted while an audit log was read");
        }
      }
      if (fate == Fate.CLOSED && (filled > 0 || tooLong)) {
        damaged.add(file.path(), base, tooLong ? LineProblem.LENGTH : LineProblem.END);
      }
      return End.ENDED;
    } catch (EOFException e) {
      return cutShort(log, file, fate, e);
    } finally {
      Paused goesOn = paused.get(log);
      if (goesOn == null || goesOn.content() != content) {
        content.close();
      }
    }
  }

  private LogFile.Content open(Path log, LogFile file, long from) throws IOException {
    Paused before = paused.remove(log);
    if (before == null) {
      return file.open(from);
    }
    if (file.packed() && file.isCopyOf(before.file()) && from == before.offset()) {
      return before.content();
    }
    before.content().close();
    return file.open(from);
  }

  /** A compressed file ends too early, or a file is shorter than before. */
  private End cutShort(Path log, LogFile file, Fate fate, EOFException e) throws IOException {
    discard();
    if (fate == Fate.GROWS) {
      throw e; // it may be compressed just now
    }
    begin(log, clock.instant());
    beginning.add(log);
    synchronized (this) {
      gaps++;
    }
    LOG.atWarn()
        .addKeyValue("file", file.path())
        .log("The file is cut short: accesses were missed");
    return End.ENDED;
  }

  private void discard() {
    byPath = new ArrayList<>();
    byInode = new ArrayList<>();
  }

  private void line(Path log, LogFile file, long base, int start, int newline) {
    int end = newline > start && buffer[newline - 1] == '\r' ? newline - 1 : newline;
    if (end == start) {
      return;
    }
    synchronized (this) {
      read++;
    }
    LineProblem flaw = lines.read(buffer, start, end - start);
    if (flaw != null) {
      damaged.add(file.path(), base + start, flaw);
      return;
    }
    long at = lines.time(buffer, start, end - start);
    if (isToCome(at)) {
      damaged.add(file.path(), base + start, LineProblem.FUTURE);
      return;
    }
    damaged.sound();
    newestHere = at;
    if (beginning.remove(log)) {
      begin(log, Instant.ofEpochMilli(newestHere));
    }
  }

  /** Avoids reading the clock for each line. */
  private boolean isToCome(long at) {
    if (at > notToCome) {
      notToCome = clock.millis() + LivenessProbe.SKEW.toMillis();
    }
    return at > notToCome;
  }

  private void begin(Path log, Instant start) {
    timestamps.trackingStart(SOURCE + " " + log, start);
  }

  private void opened(
      String path, long told, byte[] line, AuditLineReader.Range ugi, AuditLineReader.Range ip) {
    long at = isToCome(told) ? notToCome : told; // otherwise the file would never become cold
    if (path.startsWith(belowOwnRoot)) {
      echo.heard(Instant.ofEpochMilli(at));
      count(Kind.OWN);
    } else if (ignored.ignores(line, ugi, ip)) {
      count(Kind.IGNORED);
    } else if (path.startsWith(INODES)) {
      openedByNumber(path.substring(INODES.length()), at, ip.address(line));
    } else {
      openedByPath(
          path.startsWith(RAW + "/") ? path.substring(RAW.length()) : path, at, ip.address(line));
    }
  }

  private void openedByPath(String path, long at, String client) {
    if (path.contains(SNAPSHOT + "/") || path.endsWith(SNAPSHOT)) {
      count(Kind.SNAPSHOT);
    } else {
      byPath.add(new Access(path, at, client));
      count(Kind.ACCESS);
    }
  }

  private void openedByNumber(String number, long at, String client) {
    try {
      byInode.add(new InodeAccess(Long.parseUnsignedLong(number), at, client));
      count(Kind.ACCESS);
    } catch (NumberFormatException e) { // a path that goes on from there
      count(Kind.UNRESOLVED);
    }
  }

  private enum Kind {
    ACCESS,
    IGNORED,
    SNAPSHOT,
    OWN,
    UNRESOLVED
  }

  private synchronized void count(Kind kind) {
    switch (kind) {
      case ACCESS -> accesses++;
      case IGNORED -> ignoredReads++;
      case SNAPSHOT -> snapshotReads++;
      case OWN -> ownReads++;
      case UNRESOLVED -> unresolved++;
    }
  }

  /** A failure of the sink, as opposed to a log that cannot be read. */
  private static final class SinkException extends IOException {
    private static final long serialVersionUID = 1;

    SinkException(IOException cause) {
      super(cause);
    }

    @Override
    public synchronized IOException getCause() {
      return (IOException) super.getCause();
    }
  }

  private void hand(Path log, LogPosition reached) throws IOException {
    LogPositions positions = positions();
    positions.move(log, reached);
    String text = positions.text();
    long nowhere;
    try {
      nowhere = sink.accessed(new AccessBatch(byPath, byInode), new Watermark(SOURCE, text));
    } catch (IOException e) {
      throw new SinkException(e);
    } finally {
      discard();
    }
    newestOf.put(log, newestHere);
    synchronized (this) {
      position = text;
      unknown += nowhere;
      newest = Math.max(newest, newestHere);
    }
  }

  /** Returns the problem of a log with old unread lines. */
  private Optional<String> late() {
    Instant bound = clock.instant().minus(TOO_LATE);
    return rests.entrySet().stream()
        .filter(log -> log.getValue().known().isBefore(bound))
        .map(
            log ->
                "%s was taken in up to %s, and %d bytes of it are still to be read"
                    .formatted(log.getKey(), log.getValue().known(), log.getValue().bytes()))
        .findFirst();
  }

  /** Unread lines may still contain our own read. */
  private Optional<String> silence() {
    return behind ? Optional.empty() : echo.problem();
  }

  /** Returns the state of the source. It has missed nothing since the latest start of its logs. */
  public synchronized SourceState state() {
    Optional<Instant> since =
        logs.stream()
            .flatMap(log -> timestamps.trackingStart(SOURCE + " " + log).stream())
            .max(Instant::compareTo);
    Optional<Instant> told =
        newest == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(newest));
    return new SourceState(
        SOURCE,
        since,
        position,
        told,
        told,
        behind ? Duration.between(atEnd, clock.instant()) : Duration.ZERO,
        problems.values().stream()
            .findFirst()
            .or(damaged::problem)
            .or(this::late)
            .or(this::silence),
        Map.ofEntries(
            Map.entry("bytes.behind", rests.values().stream().mapToLong(Rest::bytes).sum()),
            Map.entry("lines", read),
            Map.entry("lines.damaged", damaged.count()),
            Map.entry("accesses", accesses),
            Map.entry("accesses.ignored", ignoredReads),
            Map.entry("accesses.snapshots", snapshotReads),
            Map.entry("accesses.own", ownReads),
            Map.entry("accesses.unresolved", unresolved),
            Map.entry("accesses.unknown", unknown),
            Map.entry("gaps", gaps)));
  }
}
