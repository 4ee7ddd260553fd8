// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hdfsraid.raidnode.audit.AuditArchive.Series;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.schedule.Failures;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Adds to the history what other daemons have done since this catalog was in use, from the audit on
 * HDFS. So the history outlives the disk of each daemon. What the audit did not get, such as the
 * last minute before a daemon was killed, is missing, and very long texts are cut.
 */
public final class HistoryRestore {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryRestore.class);

  /** The last epoch up to which the history of this catalog is complete. */
  private static final String COMPLETE_TO = "history-epoch";

  /** After so many failed attempts a file that cannot be read is left out. */
  private static final int MOST_ATTEMPTS = 10;

  private final AuditFiles files;
  private final History history;
  private final Notes notes;
  private final long epoch;
  private final Limits limits;
  private final Clock clock;
  private boolean done;
  private int failures;

  /**
   * Limits what is restored.
   *
   * @param age older lines are left out
   * @param lines how many are looked at, the newest
   */
  public record Limits(Duration age, int lines) {}

  /**
   * Prepares to restore.
   *
   * @param epoch of this daemon, which adds the lines of that epoch itself
   */
  public HistoryRestore(
      AuditFiles files, History history, Notes notes, long epoch, Limits limits, Clock clock) {
    this.files = files;
    this.history = history;
    this.notes = notes;
    this.epoch = epoch;
    this.limits = limits;
    this.clock = clock;
  }

  /**
   * Restores what is missing, once. If the audit cannot be read, the next call begins anew, and a
   * line that is there is not added again.
   */
  public synchronized void run() {
    if (!done) {
      try {
        restore();
      } catch (IOException e) {
        LOG.atLevel(failures > 0 || Failures.isInterrupt(e) ? Level.DEBUG : Level.WARN)
            .log("The history of other daemons cannot be read yet: {}", e.getMessage());
        failures++;
      }
    }
  }

  private void restore() throws IOException {
    long complete = complete();
    int restored = complete + 1 < epoch ? restore(complete) : 0;
    if (restored > 0) {
      LOG.info("{} lines of the history were restored from the audit on HDFS", restored);
    }
    notes.text(COMPLETE_TO, Long.toString(epoch));
    done = true;
  }

  /** Epochs are counted anew if the root of the parity was removed meanwhile. */
  private long complete() {
    long noted = notes.text(COMPLETE_TO).map(Long::parseLong).orElse(0L);
    return noted < epoch ? noted : 0;
  }

  /** Reads back to the first file that has no line of a later epoch than this one. */
  private int restore(long complete) throws IOException {
    Instant oldest = clock.instant().minus(limits.age());
    List<String> names =
        files.list().stream().map(AuditFiles.Kept::name).filter(Series.ACTIONS::holds).toList();
    int restored = 0;
    int left = limits.lines();
    for (int i = names.size() - 1; i >= 0 && left > 0; i--) {
      List<HistoryRecord> lines =
          read(names.get(i))
              .lines()
              .map(AuditEntry::parse)
              .flatMap(Optional::stream)
              .map(AuditedAction::record)
              .flatMap(Optional::stream)
              .toList();
      List<HistoryRecord> wanted =
          lines.stream()
              .filter(line -> line.epoch() > complete && !line.at().isBefore(oldest))
              .toList();
      for (HistoryRecord line : wanted.subList(Math.max(0, wanted.size() - left), wanted.size())) {
        if (isMissing(line)) {
          history.restore(line);
          restored++;
        }
      }
      left -= wanted.size();
      if (wanted.isEmpty() && !lines.isEmpty()) { // a file may be empty since its write failed
        break;
      }
    }
    return restored;
  }

  private String read(String name) throws IOException {
    try {
      return new String(files.read(name), UTF_8);
    } catch (IOException e) {
      if (failures < MOST_ATTEMPTS) {
        throw e;
      }
      LOG.warn("The history that {} has cannot be read, and is left out: {}", name, e.getMessage());
      return "";
    }
  }

  private boolean isMissing(HistoryRecord line) {
    return history.at(line.at()).stream()
        .map(AuditedAction::asKept)
        .noneMatch(Optional.of(line)::equals);
  }
}
