// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidnode.catalog.Tables.Turn;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Stores when each parity file was scrubbed, and the order of the next scrubs. Files that were
 * never scrubbed come first, the newest before the others. Then come the files whose last scrub is
 * longest ago; {@link #overdue} returns these alone. The order is the cursor of the scrub: a
 * scrubbed file goes to the end.
 */
public final class ScrubLedger {
  /** Nothing is put off for longer. */
  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  private final TableStore store;

  ScrubLedger(TableStore store) {
    this.store = store;
  }

  public Optional<ScrubRecord> find(long id) {
    return store.get(Tables.SCRUBS, id);
  }

  /** There is parity with this id; nothing changes when that is known. */
  public synchronized void meet(long id, Instant now) {
    if (find(id).isEmpty()) {
      put(Optional.empty(), ScrubRecord.discovered(id, now));
    }
  }

  /** Changes what is known, undisturbed by others. */
  public synchronized Optional<ScrubRecord> update(long id, UnaryOperator<ScrubRecord> change) {
    Optional<ScrubRecord> known = find(id);
    Optional<ScrubRecord> changed = known.map(change);
    changed.ifPresent(record -> put(known, record));
    return changed;
  }

  /**
   * Its turn comes next, as if it had been met just now.
   *
   * @param doneBefore what was scrubbed later keeps its place, and so does what was met later and
   *     never scrubbed; but it is not put off any more
   */
  public synchronized void hasten(long id, ScrubDepth depth, Instant doneBefore, Instant now) {
    meet(id, now);
    update(
        id,
        known ->
            known.at(depth).done().orElse(known.since()).isBefore(doneBefore)
                ? known.anew(depth, now)
                : known.at(depth).retryAt().filter(now::isBefore).isPresent()
                    ? known.with(depth, known.at(depth).postpone(now))
                    : known);
  }

  /** The parity is gone. */
  public synchronized void remove(long id) {
    Optional<ScrubRecord> known = find(id);
    if (known.isPresent()) {
      TableStore.Changes changes = store.changes();
      changes.remove(Tables.SCRUBS, id);
      for (ScrubDepth depth : ScrubDepth.values()) {
        changes.remove(Tables.SCRUB_TURNS, Turn.of(depth, known.get()));
      }
      changes.commit();
    }
  }

  private void put(Optional<ScrubRecord> known, ScrubRecord record) {
    TableStore.Changes changes = store.changes();
    for (ScrubDepth depth : ScrubDepth.values()) {
      known.ifPresent(before -> changes.remove(Tables.SCRUB_TURNS, Turn.of(depth, before)));
      changes.put(Tables.SCRUB_TURNS, Turn.of(depth, record), true);
    }
    changes.put(Tables.SCRUBS, record.id(), record).commit();
  }

  /** Where a walk over what is due has come to. */
  public record Position(ScrubDepth depth, Optional<ScrubRecord> after) {
    public static Position first(ScrubDepth depth) {
      return new Position(depth, Optional.empty());
    }

    /**
     * Returns the border between the records that were never scrubbed, which come before it in
     * reverse order, and the others.
     */
    private Turn border() {
      return new Turn(depth, true, Instant.EPOCH, Long.MIN_VALUE);
    }

    private Turn end() {
      return new Turn(depth, true, Instant.ofEpochMilli(Long.MAX_VALUE), Long.MAX_VALUE);
    }

    private Optional<Turn> last() {
      return after.map(record -> Turn.of(depth, record));
    }
  }

  /**
   * Returns what is to be scrubbed next, in order.
   *
   * @param from the first position to return
   * @param doneBefore parity that was scrubbed later is not due
   * @param now parity that is to be tried again later is skipped. What seems to have been scrubbed
   *     later than now, because the clock has been set back since, is due
   */
  public List<ScrubRecord> due(Position from, Instant doneBefore, Instant now, int limit) {
    List<ScrubRecord> due = new ArrayList<>();
    Predicate<Turn> takeUntilFull = taking(due, now, limit);
    Optional<Turn> last = from.last();
    if (last.isEmpty()) {
      store.descend(
          Tables.SCRUB_TURNS,
          Optional.of(from.end()),
          (turn, present) ->
              turn.depth() == from.depth()
                  && turn.done()
                  && turn.when().isAfter(now)
                  && takeUntilFull.test(turn));
    }
    if (last.filter(Turn::done).isEmpty()) {
      store.descend(
          Tables.SCRUB_TURNS,
          Optional.of(last.map(Turn::previous).orElse(from.border())),
          (turn, present) ->
              turn.depth() == from.depth() && !turn.done() && takeUntilFull.test(turn));
    }
    if (due.size() < limit) {
      takeOverdue(
          last.filter(Turn::done).map(Turn::next).orElse(from.border()), doneBefore, takeUntilFull);
    }
    return due;
  }

  /**
   * Returns what was scrubbed before and is due again, the longest overdue first. The parameters
   * are those of {@link #due}, which returns this only after all that was never scrubbed.
   */
  public List<ScrubRecord> overdue(ScrubDepth depth, Instant doneBefore, Instant now, int limit) {
    List<ScrubRecord> overdue = new ArrayList<>();
    takeOverdue(Position.first(depth).border(), doneBefore, taking(overdue, now, limit));
    return overdue;
  }

  private void takeOverdue(Turn first, Instant doneBefore, Predicate<Turn> takeUntilFull) {
    store.ascend(
        Tables.SCRUB_TURNS,
        Optional.of(first),
        (turn, present) ->
            turn.depth() == first.depth()
                && !turn.when().isAfter(doneBefore)
                && takeUntilFull.test(turn));
  }

  /** Returns what adds records that do not wait to be tried again, until there are enough. */
  private Predicate<Turn> taking(List<ScrubRecord> records, Instant now, int limit) {
    return turn -> {
      find(turn.id())
          .filter(
              record -> record.at(turn.depth()).retryAt().filter(at -> waits(at, now)).isEmpty())
          .ifPresent(records::add);
      return records.size() < limit;
    };
  }

  /**
   * How much is due, and how much of it is not waiting to be tried again.
   *
   * @param files parity files
   * @param bytes of their units, as far as known
   */
  public record Backlog(long files, long bytes) {}

  /** Sums up what is due; costs a look at each of it. */
  public Backlog backlog(ScrubDepth depth, Instant doneBefore, Instant now) {
    long files = 0;
    long bytes = 0;
    Position from = Position.first(depth);
    while (true) {
      List<ScrubRecord> page = due(from, doneBefore, now, 1_000);
      if (page.isEmpty()) {
        return new Backlog(files, bytes);
      }
      files += page.size();
      bytes += page.stream().mapToLong(ScrubRecord::bytes).sum();
      from = new Position(depth, Optional.of(page.get(page.size() - 1)));
    }
  }

  /** Since when the parity has waited that was never scrubbed at this depth; empty: all was. */
  public Optional<Instant> neverScrubbedSince(ScrubDepth depth) {
    return first(depth, false).map(Turn::when);
  }

  /** Returns {@link #neverScrubbedSince(ScrubDepth)} of what does not wait to be tried again. */
  public Optional<Instant> neverScrubbedSince(ScrubDepth depth, Instant now) {
    List<Instant> found = new ArrayList<>();
    store.ascend(
        Tables.SCRUB_TURNS,
        Optional.of(new Turn(depth, false, Instant.EPOCH, Long.MIN_VALUE)),
        (turn, present) -> {
          boolean never = turn.depth() == depth && !turn.done();
          if (never
              && find(turn.id())
                  .filter(known -> known.at(depth).retryAt().filter(at -> waits(at, now)).isEmpty())
                  .isPresent()) {
            found.add(turn.when());
          }
          return never && found.isEmpty();
        });
    return found.stream().findFirst();
  }

  /** When the stripe was last scrubbed, or met, that has waited longest; empty: there is none. */
  public Optional<Instant> oldest(ScrubDepth depth) {
    Optional<Instant> never = neverScrubbedSince(depth);
    Optional<Instant> done = first(depth, true).map(Turn::when);
    return never.isPresent() && done.isPresent()
        ? Optional.of(never.get().isBefore(done.get()) ? never.get() : done.get())
        : never.or(() -> done);
  }

  /** {@link #oldest} of every depth at which there is any. */
  public Map<ScrubDepth, Instant> oldest() {
    Map<ScrubDepth, Instant> oldest = new EnumMap<>(ScrubDepth.class);
    for (ScrubDepth depth : ScrubDepth.values()) {
      oldest(depth).ifPresent(when -> oldest.put(depth, when));
    }
    return oldest;
  }

  private Optional<Turn> first(ScrubDepth depth, boolean done) {
    List<Turn> found = new ArrayList<>();
    store.ascend(
        Tables.SCRUB_TURNS,
        Optional.of(new Turn(depth, done, Instant.EPOCH, Long.MIN_VALUE)),
        (turn, present) -> {
          if (turn.depth() == depth && turn.done() == done) {
            found.add(turn);
          }
          return false;
        });
    return found.stream().findFirst();
  }

  /** A time further away than any pause comes from a clock that was set back since. */
  private static boolean waits(Instant until, Instant now) {
    return until.isAfter(now) && !until.isAfter(now.plus(LONGEST_PAUSE));
  }
}
