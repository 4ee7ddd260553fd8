// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.ScrubLedger.Backlog;
import io.hdfsraid.raidnode.catalog.ScrubLedger.Position;
import io.hdfsraid.raidnode.catalog.ScrubRecord;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Scrubs all stripes at one depth, at the rate that the tuning allows. Stripes that were never
 * scrubbed come first, then those whose last scrub is longest ago. One file of four is overdue also
 * while others were never scrubbed.
 */
public final class ScrubJob {
  /** The parity files that are scrubbed before the progress of the pass is stored. */
  private static final int BATCH = 64;

  /** Files scrubbed again with each batch of files that were never scrubbed: one of four. */
  private static final int AGAIN = BATCH / 3;

  /** The time after which the job starts again from the first, because new parity comes first. */
  private static final Duration WALK = Duration.ofMinutes(10);

  private final ScrubDepth depth;
  private final Duration every;
  private final ParityScrub scrub;
  private final Catalog catalog;
  private final Workers workers;
  private final Clock clock;

  /**
   * The intervals of the scrubs.
   *
   * @param presenceEvery the shortest time between two presence scrubs of a stripe; zero for none
   * @param deepEvery the shortest time between two deep scrubs of a stripe; zero for none
   * @param firstRead the time within which newly raided stripes should be read; {@code status}
   *     shows a problem afterwards
   */
  public record Settings(Duration presenceEvery, Duration deepEvery, Duration firstRead) {
    public Duration every(ScrubDepth depth) {
      return depth == ScrubDepth.DEEP ? deepEvery : presenceEvery;
    }
  }

  public ScrubJob(
      Settings settings, ParityScrub scrub, Catalog catalog, Workers workers, Clock clock) {
    this.depth = scrub.depth();
    this.every = settings.every(depth);
    this.scrub = scrub;
    this.catalog = catalog;
    this.workers = workers;
    this.clock = clock;
  }

  /** Returns the current pass, or else the last one that ended; empty if there was none. */
  public static Optional<ScrubPass> pass(ScrubDepth depth, Notes notes) {
    return notes.record(note(depth), ScrubPass.class);
  }

  private static String note(ScrubDepth depth) {
    return "scrub-" + depth.tag();
  }

  /**
   * Scrubs all that is due.
   *
   * @return the number of parity files that were scrubbed to their end
   * @throws IOException if nothing can be scrubbed any more, for example without the NameNode
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
        // Parity files may have become due meanwhile, or have stripes left after their slice.
        from = Position.first(depth);
        continue;
      }
      ScrubPass pass = passUnderWay(began);
      ScrubTally tally = new ScrubTally();
      List<ScrubRecord> batch = withOverdue(next, began);
      long failed = workers.inOrder(tasks(batch, tally));
      write(tally.addTo(pass, failed, Duration.between(began, clock.instant())));
      files += tally.files();
      if (failed == batch.size()) {
        throw new IOException(
            "None of %d parity files could be scrubbed; the log says why".formatted(batch.size()),
            tally.lastFailure());
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

  /**
   * Adds files that are overdue to files that were never scrubbed. Otherwise nothing would be
   * scrubbed again as long as files are raided faster than they are scrubbed.
   */
  private List<ScrubRecord> withOverdue(List<ScrubRecord> next, Instant now) {
    List<ScrubRecord> batch = new ArrayList<>(next);
    if (next.get(next.size() - 1).at(depth).done().isEmpty()) {
      batch.addAll(catalog.scrubs().overdue(depth, now.minus(every), now, AGAIN));
    }
    return batch;
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

  private List<Workers.Task> tasks(List<ScrubRecord> records, ScrubTally tally) {
    List<Workers.Task> tasks = new ArrayList<>();
    records.forEach(record -> tasks.add(() -> scrub.scrub(record, tally)));
    return tasks;
  }
}
