// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidnode.catalog.Tables.Moment;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The history of all actions, in order of time. */
public final class History {
  private final TableStore store;
  private long number;
  private volatile LongSupplier epoch = () -> 0;
  private volatile Consumer<HistoryRecord> listener = line -> {};

  History(TableStore store) {
    this.store = store;
    store.descend(
        Tables.HISTORY,
        Optional.empty(),
        (moment, outcome) -> {
          number = moment.number();
          return false;
        });
  }

  /** Sets what also receives each line. It must not wait. */
  public void onAdd(Consumer<HistoryRecord> also) {
    listener = also;
  }

  /** Sets what tells the epoch of each further line. It must not wait. */
  public void inEpoch(LongSupplier current) {
    epoch = current;
  }

  /** Adds a line of the current epoch. */
  public void add(HistoryRecord outcome) {
    HistoryRecord line = outcome.in(epoch.getAsLong());
    put(line);
    listener.accept(line);
  }

  /**
   * Adds a line that another daemon has added, with its epoch. The listener does not hear of it.
   */
  public void restore(HistoryRecord line) {
    put(line);
  }

  private synchronized void put(HistoryRecord line) {
    store.put(Tables.HISTORY, new Moment(line.at(), ++number), line);
  }

  /** Returns the lines of a millisecond. */
  public List<HistoryRecord> at(Instant moment) {
    List<HistoryRecord> lines = new ArrayList<>();
    store.descend(
        Tables.HISTORY,
        Optional.of(new Moment(moment, Long.MAX_VALUE)),
        (place, line) -> {
          if (place.when().isBefore(moment)) {
            return false;
          }
          lines.add(line);
          return true;
        });
    return lines;
  }

  /**
   * A line of the history.
   *
   * @param place the position of the line, from which older lines can be asked for
   */
  public record Line(String place, HistoryRecord outcome) {}

  /**
   * Lines that were found.
   *
   * @param next the place to go on from; empty if all lines were looked at
   */
  public record Found(List<Line> lines, Optional<String> next) {}

  /**
   * A part of the time.
   *
   * @param since the first moment that belongs to it; empty for the beginning
   * @param until the first moment after it; empty for the end
   */
  public record Span(Optional<Instant> since, Optional<Instant> until) {
    public static final Span EVER = new Span(Optional.empty(), Optional.empty());
  }

  /** Returns lines as {@link #search} does, of any time. */
  public List<Line> newest(
      Optional<String> before, Predicate<HistoryRecord> wanted, int limit, int look) {
    return search(before, Span.EVER, wanted, limit, look).lines();
  }

  /**
   * Finds lines, the newest first.
   *
   * @param before the place of the line to begin after, as an earlier answer gave it
   * @param look how many lines to look at, at most
   * @throws IllegalArgumentException when that is no place
   */
  public Found search(
      Optional<String> before, Span span, Predicate<HistoryRecord> wanted, int limit, int look) {
    List<Line> lines = new ArrayList<>();
    int[] looked = {0};
    AtomicReference<Optional<String>> next = new AtomicReference<>(Optional.empty());
    Optional<Moment> start = before.map(History::moment);
    Optional<Moment> end = span.until().map(until -> new Moment(until, 0));
    store.descend(
        Tables.HISTORY,
        start.isPresent() ? start : end,
        (moment, outcome) -> {
          if (span.since().filter(since -> outcome.at().isBefore(since)).isPresent()) {
            return false;
          }
          String place = moment.when().toEpochMilli() + "-" + moment.number();
          boolean isStart = start.equals(Optional.of(moment));
          if (!isStart
              && span.until().filter(until -> !outcome.at().isBefore(until)).isEmpty()
              && wanted.test(outcome)) {
            lines.add(new Line(place, outcome));
          }
          boolean goOn = lines.size() < limit && ++looked[0] < look;
          next.set(goOn ? Optional.empty() : Optional.of(place));
          return goOn;
        });
    return new Found(lines, next.get());
  }

  private static Moment moment(String place) {
    int dash = place.lastIndexOf('-');
    if (dash < 1) {
      throw new IllegalArgumentException("'" + place + "' is no place in the history");
    }
    return new Moment(
        Instant.ofEpochMilli(Long.parseLong(place.substring(0, dash))),
        Long.parseLong(place.substring(dash + 1)));
  }

  /**
   * Forgets what is older than {@code oldest}, and of the rest all but the newest.
   *
   * @param most how many lines are kept
   */
  public void trim(Instant oldest, int most) {
    Moment[] cut = {new Moment(oldest, 0)};
    int[] kept = {0};
    store.descend(
        Tables.HISTORY,
        Optional.empty(),
        (moment, outcome) -> {
          if (outcome.at().isBefore(oldest)) {
            return false;
          }
          if (kept[0] == most) {
            cut[0] = new Moment(moment.when(), moment.number() + 1);
            return false;
          }
          kept[0]++;
          return true;
        });
    store.removeRange(Tables.HISTORY, new Moment(Instant.ofEpochMilli(Long.MIN_VALUE), 0), cut[0]);
  }
}
