package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidnode.catalog.Tables.Moment;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The history of all actions, in order of time. */
public final class History {
  private final TableStore store;
  private long number;

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

  public synchronized void add(HistoryRecord outcome) {
    store.put(Tables.HISTORY, new Moment(outcome.at(), ++number), outcome);
  }

  /**
   * A line of the history.
   *
   * @param place the position of the line, from which older lines can be asked for
   */
  public record Line(String place, HistoryRecord outcome) {}

  /**
   * The newest first.
   *
   * @param before the place of the line to begin after, as an earlier answer gave it
   * @param look how many lines to look at, at most
   * @throws IllegalArgumentException when that is no place
   */
  public List<Line> newest(
      Optional<String> before, Predicate<HistoryRecord> wanted, int limit, int look) {
    List<Line> lines = new ArrayList<>();
    int[] looked = {0};
    Optional<Moment> start = before.map(History::moment);
    store.descend(
        Tables.HISTORY,
        start,
        (moment, outcome) -> {
          boolean isStart = start.equals(Optional.of(moment));
          if (!isStart && wanted.test(outcome)) {
            lines.add(new Line(moment.when().toEpochMilli() + "-" + moment.number(), outcome));
          }
          return lines.size() < limit && ++looked[0] < look;
        });
    return lines;
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
