// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.report.Row;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The figures of the index beside those of an SQLite table with as many files.
 *
 * @param sql empty where there are too many files for it
 * @param size how many files, as the rows name it
 */
record IndexComparison(Trial index, Optional<Trial> sql, String size) {
  static final Row.Unit FILES_PER_SECOND = new Row.Unit("files/s", 1);

  private static final Row.Unit MEBIBYTES = new Row.Unit("MiB", 1);
  private static final Row.Unit SECONDS = new Row.Unit("s", 1);

  private static final Discipline BOOTSTRAP =
      new Discipline(
          "bootstrap",
          FILES_PER_SECOND,
          trial -> Samples.of(trial.one("files") / trial.one("bootstrap")));
  private static final Discipline EVENTS =
      new Discipline("events", new Row.Unit("/s", 1), trial -> Samples.of(trial.all("events")));
  private static final Discipline BYTES =
      new Discipline(
          "bytes per file",
          new Row.Unit("B", 1),
          trial -> Samples.of(trial.one("bytes") / trial.one("files")));
  private static final Discipline PICK =
      new Discipline("pick 10000", new Row.Unit("ms", 1), trial -> Samples.of(trial.all("pick")));

  /** What both of them can do, and what was measured of it. */
  private record Discipline(String row, Row.Unit unit, Function<Trial, Samples> samples) {
    private String rowOfSql(String size) {
      return "sqlite " + row + size;
    }
  }

  /**
   * The rows of the index.
   *
   * @param suffix of their names
   */
  List<Row> rows(String suffix) {
    return List.of(
        row(BOOTSTRAP, suffix).withGoalOfValue(150_000),
        row(EVENTS, suffix).withGoalOfValue(50_000),
        row(BYTES, suffix).withGoalOfValueAtMost(120),
        Row.alone("heap" + suffix, MEBIBYTES, Samples.of(index.one("heap")))
            .withGoalOfValueAtMost(Trial.HEAP_MEBIBYTES),
        row(PICK, suffix).withGoalOfValueAtMost(100),
        Row.alone("restart" + suffix, SECONDS, Samples.of(index.one("restart")))
            .withGoalOfValueAtMost(5));
  }

  private Row row(Discipline what, String suffix) {
    String name = what.row + suffix;
    Samples ours = what.samples.apply(index);
    return sql.map(
            rival ->
                Row.besideMedian(
                    name, what.unit, ours, what.rowOfSql(size), what.samples.apply(rival)))
        .orElseGet(() -> Row.alone(name, what.unit, ours));
  }

  /** The rows of SQLite. */
  List<Row> rowsOfSql() {
    return sql.stream()
        .flatMap(
            rival ->
                Stream.of(BOOTSTRAP, EVENTS, BYTES, PICK)
                    .map(
                        what ->
                            Row.alone(what.rowOfSql(size), what.unit, what.samples.apply(rival))))
        .toList();
  }

  /** Who keeps no index lists everything, each time. */
  Row besideListing(Samples listed) {
    return Row.besideMedian(
        "bootstrap beside listing",
        FILES_PER_SECOND,
        BOOTSTRAP.samples.apply(index),
        "listing",
        listed);
  }

  /** How much longer it takes to pick from this index than from a smaller one. */
  Row flatness(IndexComparison smallest) {
    double longer = pick().median() / smallest.pick().median();
    return Row.alone("pick 10000 flat", new Row.Unit("times", 1), Samples.of(longer))
        .withNote("of the largest index to of the smallest");
  }

  private Samples pick() {
    return PICK.samples.apply(index);
  }
}
