package io.hdfsraid.raidnode.recency.audit;

import io.hdfsraid.raidnode.namespace.Access;
import io.hdfsraid.raidnode.namespace.InodeAccess;
import io.hdfsraid.raidnode.namespace.Watermark;
import io.hdfsraid.raidnode.recency.source.AccessSink;
import io.hdfsraid.raidnode.recency.source.Accesses;
import io.hdfsraid.raidnode.recency.source.OwnReads;
import io.hdfsraid.raidnode.recency.source.SourceState;
import io.hdfsraid.raidnode.recency.source.TrackingNotes;
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
 * Takes in the audit logs of NameNodes: who opened what. Each log goes on where the sink says that
 * it stands, whatever has become of its file since: it was renamed, copied and emptied, packed, or
 * sent to another machine. A log whose place is not found any more has a gap: accesses were missed,
 * and what is known of them begins anew. {@link #follow} is called again and again, by one thread;
 * the rest is safe to call from any.
 *
 * <p>Our own, because the tailers that there are know a file by its path or its inode: {@code
 * Tailer} of Apache Commons IO loses what was written between its last look and a rotation, keeps
 * no place over a restart, and reads a copied file again.
 */
public final class AuditLog {
  /** The name of the source. */
  public static final String SOURCE = "audit-log";

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** Longer lines than that are none; and so much is taken in at once. */
  private static final int CHUNK = 1 << 20;

  /** So much is taken in with one call, more or less: what else is to be followed waits for it. */
  private static final long AT_ONCE = 64L << 20;

  /** Reads that are not taken in yet and are older than that may make files look cold. */
  private static final Duration TOO_LATE = Duration.ofMinutes(30);

  private static final String INODES = "/.reserved/.inodes/";
  private static final String RAW = "/.reserved/raw";
  private static final String SNAPSHOT = "/.snapshot";

  private final AuditLogSettings settings;
  private final LiveLogs live;
  private final AccessSink sink;
  private final TrackingNotes notes;
  private final Clock clock;
  private final AuditLines lines;
  private final IgnoredReaders.Judge ignored;
  private final DamagedLines damaged;
  private final Echo echo;
  private final String belowOwnRoot;
  private final long atOnce;
  private final byte[] buffer = new byte[CHUNK];
  private final Map<Path, LogFiles> files = new HashMap<>();

  /** Logs whose place was not found at the last look: if it is not at the next, there is a gap. */
  private final Set<Path> doubtful = new HashSet<>();

  /** Logs that were followed and were not found at the last look: they may be renamed just now. */
  private Set<Path> vanished = Set.of();

  /** Logs of which the next line begins what is known without a gap. */
  private final Set<Path> beginning = new HashSet<>();

  /** Packed files that were not read to their end: to find a place in them takes reading them. */
  private final Map<Path, Paused> paused = new HashMap<>();

  /** How many bytes may still be taken in of the log that is being read. */
  private long left;

  /**
   * A file that will be read on.
   *
   * @param offset up to where it was read
   */
  private record Paused(LogFile file, long offset, LogFile.Content content) {}

  // What the chunk that is being read has brought.
  private List<Access> byPath = new ArrayList<>();
  private List<InodeAccess> byInode = new ArrayList<>();

  /** When the last line was written that was read of this log. */
  private long newestHere;

  private final Map<Path, Long> newestOf = new HashMap<>();

  /** No time up to this one was still to come when the clock was asked last. */
  private long notToCome = Long.MIN_VALUE;

  // Guarded by this: what others ask for.
  private final Map<Path, String> problems = new LinkedHashMap<>();
  private List<Path> logs = List.of();
  private String position = "";
  private long newest;
  private Instant atEnd;
  private boolean behind;

  /** Of logs that have more than was taken in at once: how much, and until when they are known. */
  private final Map<Path, Rest> rests = new LinkedHashMap<>();

  /**
   * What is still to be read of a log.
   *
   * @param bytes packed, where it is packed
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
   * Reads nothing yet.
   *
   * @param own must come back in the logs, or they are silent
   */
  public AuditLog(
      AuditLogSettings settings, AccessSink sink, TrackingNotes notes, OwnReads own, Clock clock) {
    this(settings, sink, notes, own, clock, AT_ONCE);
  }

  /** One that takes in other amounts at once. */
  AuditLog(
      AuditLogSettings settings,
      AccessSink sink,
      TrackingNotes notes,
      OwnReads own,
      Clock clock,
      long atOnce) {
    this.atOnce = atOnce;
    this.settings = settings;
    this.live = new LiveLogs(settings.logs());
    this.sink = sink;
    this.notes = notes;
    this.clock = clock;
    this.lines = new AuditLines(settings.zone(), clock, this::opened);
    this.ignored = settings.ignored().judge();
    this.damaged = new DamagedLines(clock);
    this.echo = new Echo(own, clock);
    this.belowOwnRoot = settings.ownRoot() + "/";
    this.atEnd = clock.instant();
  }

  /**
   * Takes in what was written since, or so much of it that others do not wait for long: the next
   * call goes on. A log that cannot be read is a {@link #state problem}, and no failure, and keeps
   * no other from being read.
   *
   * @throws IOException when the sink fails
   * @throws InterruptedException when the thread is interrupted
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
      wrong.put(Path.of("/"), "There is no log such as %s".formatted(settings.logs()));
    }
    noteEnd(found, wrong);
  }

  /** Those that were followed, are still meant, and are found neither now nor at the last look. */
  private Map<Path, String> missing(List<Path> known, List<Path> found) {
    Set<Path> gone = new HashSet<>();
    for (Path log : known) {
      if (!found.contains(log) && live.mean(log) && !LiveLogs.goesOn(log, known)) {
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
          "The index does not say where the audit logs stand: remove the catalog, it is made again",
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
      return; // it may have been renamed just now
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

  /** What was noted before counts until then: nothing looks cold while a log is being read. */
  private synchronized void noteRest(Path log, long bytes) {
    if (bytes > 0) {
      rests.put(log, new Rest(bytes, Instant.ofEpochMilli(newestHere)));
    } else {
      rests.remove(log);
    }
  }

  /** How reading a file came to an end. */
  private enum End {
    ENDED,
    /** The next call goes on. */
    PAUSED,
    /** It changed on the way: the next look sorts it out. */
    CHANGED
  }

  /** What becomes of a file. */
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
              damaged.add(file.path(), base + lineStart, Flaw.LENGTH);
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
        damaged.add(file.path(), base, tooLong ? Flaw.LENGTH : Flaw.END);
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

  /** Of a packed file the rest is missing, or it has less than it had. */
  private End cutShort(Path log, LogFile file, Fate fate, EOFException e) throws IOException {
    discard();
    if (fate == Fate.GROWS) {
      throw e; // perhaps it is being packed
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
    Flaw flaw = lines.read(buffer, start, end - start);
    if (flaw != null) {
      damaged.add(file.path(), base + start, flaw);
      return;
    }
    long at = lines.time(buffer, start, end - start);
    if (isToCome(at)) {
      damaged.add(file.path(), base + start, Flaw.FUTURE);
      return;
    }
    damaged.sound();
    newestHere = at;
    if (beginning.remove(log)) {
      begin(log, Instant.ofEpochMilli(newestHere));
    }
  }

  /** The clock is not asked for each line of a busy NameNode. */
  private boolean isToCome(long at) {
    if (at > notToCome) {
      notToCome = clock.millis() + Echo.SKEW.toMillis();
    }
    return at > notToCome;
  }

  private void begin(Path log, Instant start) {
    notes.since(SOURCE + " " + log, start);
  }

  private void opened(
      String path, long told, byte[] line, AuditLines.Range ugi, AuditLines.Range ip) {
    long at = isToCome(told) ? notToCome : told; // or nobody would ever find the file cold
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

  /** Told apart from a log that cannot be read. */
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
      nowhere = sink.accessed(new Accesses(byPath, byInode), new Watermark(SOURCE, text));
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

  /** A log of which reads are not known that were long ago. */
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

  /** What is read later may still tell of us. */
  private Optional<String> silence() {
    return behind ? Optional.empty() : echo.problem();
  }

  /** How it stands. It misses nothing since all its logs do not. */
  public synchronized SourceState state() {
    Optional<Instant> since =
        logs.stream()
            .flatMap(log -> notes.since(SOURCE + " " + log).stream())
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
