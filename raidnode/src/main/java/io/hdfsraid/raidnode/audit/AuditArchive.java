// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the audit in files on HDFS, so that it survives the loss of the catalog and of this
 * machine. Lines wait in memory until {@link #write} appends them. A file is ended when it is large
 * or a day old, and the oldest files are deleted above a limit. What people asked for, what was
 * done and what strangers tried are series with a limit each, so that neither a busy policy nor an
 * attacker pushes requests out.
 *
 * <p>Nothing waits for HDFS: if too many lines wait, further ones are dropped, and a line says how
 * many.
 */
public final class AuditArchive {
  private static final Logger LOG = LoggerFactory.getLogger(AuditArchive.class);
  private static final Duration LONGEST_PERIOD = Duration.ofDays(1);
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final AuditFiles files;
  private final Limits limits;
  private final KnownTrouble trouble;
  private final Clock clock;
  private boolean failing;
  private final Map<Series, Waiting> waiting = new EnumMap<>(Series.class);

  /** Kinds of lines, whose files begin with their names. */
  public enum Series {
    REQUESTS,
    /** Requests of nobody that the daemon knows: anybody can send as many as they like. */
    STRANGERS,
    ACTIONS;

    /** Returns whether a file of the audit is of this series. */
    public boolean holds(String fileName) {
      return fileName.startsWith(prefix());
    }

    /** Returns the name of a file that was begun at this time. Later files have later names. */
    public String fileName(Instant began) {
      return prefix() + NAME.format(began) + ".jsonl";
    }

    private String prefix() {
      return name().toLowerCase(Locale.ROOT) + "-";
    }
  }

  /**
   * Limits the audit on HDFS.
   *
   * @param fileBytes size from which on a new file is begun
   * @param files most files of each series
   * @param waitingBytes most bytes of each series that wait in memory
   */
  public record Limits(long fileBytes, int files, long waitingBytes) {
    public Limits {
      if (fileBytes < 1 || files < 1 || waitingBytes < 1) {
        throw new IllegalArgumentException(
            "An audit needs positive limits, but got %d bytes for a file, %d files and %d bytes that wait"
                .formatted(fileBytes, files, waitingBytes));
      }
    }
  }

  /** A file that further lines are appended to. */
  private record Current(String name, long bytes, Instant began) {}

  /** The lines of a series that wait. Guarded by itself. */
  private static final class Waiting {
    private final ArrayDeque<byte[]> lines = new ArrayDeque<>();
    private long bytes;
    private long dropped;

    /** The file that was written last; only the writing thread uses it. */
    private Optional<Current> current = Optional.empty();
  }

  /**
   * Creates an archive. It begins new files, since another daemon may have written the last ones.
   *
   * @param trouble tells failures that need no line of the log
   */
  public AuditArchive(AuditFiles files, Limits limits, KnownTrouble trouble, Clock clock) {
    this.files = files;
    this.limits = limits;
    this.trouble = trouble;
    this.clock = clock;
    for (Series series : Series.values()) {
      waiting.put(series, new Waiting());
    }
  }

  /** Takes a line, or drops it if too many wait. Does not wait for HDFS. */
  public void add(Series series, AuditEntry entry) {
    byte[] line = entry.toJson().getBytes(UTF_8);
    Waiting lines = waiting.get(series);
    synchronized (lines) {
      if (lines.bytes + line.length > limits.waitingBytes()) {
        if (lines.dropped++ == 0) {
          LOG.atWarn()
              .addKeyValue("series", series)
              .log(
                  "The audit on HDFS misses lines, because it could not be written for too long; the log has them");
        }
        return;
      }
      lines.lines.add(line);
      lines.bytes += line.length;
    }
  }

  /**
   * Appends what waits. After a failure the lines go on to wait, and the next attempt begins a new
   * file: nobody knows what the last one has got, so a line may be there twice. The log says once
   * that the audit cannot be written, and once that it can again.
   */
  public synchronized void write() {
    for (Series series : Series.values()) {
      try {
        write(series, waiting.get(series));
      } catch (IOException | RuntimeException e) {
        waiting.get(series).current = Optional.empty();
        failed(e);
        return;
      }
    }
    if (failing) {
      failing = false;
      LOG.info("The audit on HDFS is written again");
    }
  }

  private void failed(Exception e) {
    if (!failing && !trouble.explains(e)) {
      failing = true;
      LOG.warn(
          "The audit on HDFS cannot be written; its lines wait in memory, and the log has them: {}",
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private void write(Series series, Waiting lines) throws IOException {
    while (true) {
      Batch batch = next(lines);
      if (batch.count() == 0) {
        return;
      }
      store(series, lines, batch.content().getBytes(UTF_8));
      synchronized (lines) {
        for (int i = 0; i < batch.count(); i++) {
          lines.bytes -= lines.lines.remove().length;
        }
        lines.dropped -= batch.dropped();
      }
    }
  }

  /**
   * Lines that are written together.
   *
   * @param count how many of those that wait
   * @param dropped how many the last line of the content says are missing
   */
  private record Batch(String content, int count, long dropped) {}

  /** Returns up to a file of lines, and how many are missing after the last of them. */
  private Batch next(Waiting lines) {
    synchronized (lines) {
      StringBuilder content = new StringBuilder();
      int count = 0;
      for (byte[] line : lines.lines) {
        if (count > 0 && content.length() + line.length > limits.fileBytes()) {
          return new Batch(content.toString(), count, 0);
        }
        content.append(new String(line, UTF_8));
        count++;
      }
      if (count > 0 && lines.dropped > 0) {
        content.append(
            new AuditEntry(clock.instant(), "dropped")
                .with("user", "daemon")
                .with("lines", lines.dropped)
                .with("detail", "Too many lines waited for HDFS")
                .toJson());
      }
      return new Batch(content.toString(), count, count > 0 ? lines.dropped : 0);
    }
  }

  private void store(Series series, Waiting lines, byte[] content) throws IOException {
    Instant now = clock.instant();
    Optional<Current> current = lines.current.filter(file -> takesMore(file, content.length, now));
    lines.current = Optional.empty(); // until the content is known to be there
    if (current.isPresent()) {
      files.append(current.get().name(), content);
      lines.current =
          Optional.of(
              new Current(
                  current.get().name(),
                  current.get().bytes() + content.length,
                  current.get().began()));
      return;
    }
    List<AuditFiles.Kept> kept =
        files.list().stream().filter(file -> series.holds(file.name())).toList();
    for (AuditFiles.Kept oldest : kept.subList(0, Math.max(0, kept.size() - limits.files() + 1))) {
      files.delete(oldest.name());
    }
    String name = series.fileName(now);
    if (!kept.isEmpty() && kept.get(kept.size() - 1).name().compareTo(name) >= 0) {
      // A clock that was set back must not make the newest file the one that is deleted first.
      name = after(series, kept.get(kept.size() - 1).name());
    }
    files.create(name, content);
    lines.current = Optional.of(new Current(name, content.length, now));
  }

  private static String after(Series series, String name) {
    String instant = name.substring(name.indexOf('-') + 1, name.lastIndexOf('.'));
    return series.fileName(NAME.parse(instant, Instant::from).plusMillis(1));
  }

  private boolean takesMore(Current file, int bytes, Instant now) {
    Duration age = Duration.between(file.began(), now);
    return file.bytes() + bytes <= limits.fileBytes()
        && !age.isNegative()
        && age.compareTo(LONGEST_PERIOD) < 0;
  }
}
