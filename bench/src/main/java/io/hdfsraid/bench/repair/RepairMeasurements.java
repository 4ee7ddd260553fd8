// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.blockfixer.repair.RepairTally;
import io.hdfsraid.erasurecode.RepairCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The measurements with one code, and their rows beside those of another code. */
final class RepairMeasurements {
  static final double MOST_BLOCKS = 1.05;
  static final double MOST_TIME = 0.6;
  static final double LEAST_OF_FLOOR = 0.75;

  /** DataNodes count 4 bytes of checksum with each 512 that they read. */
  private static final double WITH_CHECKSUMS = 516.0 / 512;

  private static final Row.Unit BLOCKS = new Row.Unit("blocks", 1);
  private static final Row.Unit SECONDS = new Row.Unit("s", 1);
  private static final Row.Unit RATE = new Row.Unit("MB/s", 1e6);
  private static final Row.Unit TIMES = new Row.Unit("x", 1);
  private static final Row.Unit PER_CENT = new Row.Unit("%", 1);

  private final RepairCandidate candidate;
  private final long blockBytes;
  private final List<Round> rounds = new ArrayList<>();

  /** What each failure took, without a limit on the reads of DataNodes and with one. */
  record Round(List<NodeFailure> free, List<NodeFailure> limited) {
    Round {
      free = List.copyOf(free);
      limited = List.copyOf(limited);
    }

    private Stream<NodeFailure> all() {
      return Stream.concat(free.stream(), limited.stream());
    }
  }

  RepairMeasurements(RepairCandidate candidate, long blockBytes) {
    this.candidate = candidate;
    this.blockBytes = blockBytes;
  }

  RepairCandidate candidate() {
    return candidate;
  }

  void add(Round round) {
    rounds.add(round);
  }

  /** The rows of a code, beside another's, which may be itself. */
  List<Row> rows(RepairMeasurements other) {
    List<Row> rows = new ArrayList<>();
    if (candidate.kills().contains(1)) {
      rows.add(
          Row.beside(
                  name("single blocks"),
                  BLOCKS,
                  singleBlocks(),
                  "theory",
                  samples(round -> theory()))
              .withGoalAtMost(MOST_BLOCKS)
              .withNote(lostBlocks(NodeFailure::single)));
      if (other != this) {
        rows.add(beside("single blocks ratio", BLOCKS, RepairMeasurements::singleBlocks, other));
      }
    }
    rows.add(
        beside("all blocks", BLOCKS, RepairMeasurements::allBlocks, other)
            .withNote(lostBlocks(failure -> true)));
    costs()
        .forEach(
            (losses, cost) ->
                rows.add(
                    Row.alone(
                            name("blocks with %d lost".formatted(losses)),
                            BLOCKS,
                            Samples.of(
                                (double) cost.bytesRead() / blockBytes / cost.stripes() / losses))
                        .withNote(
                            "%d stripes had lost so many; for each of their blocks"
                                .formatted(cost.stripes()))));
    if (candidate.kills().contains(1)) {
      rows.add(beside("time", SECONDS, own -> own.time(Round::free, NodeFailure::single), other));
      rows.add(
          limitedGoal(
              beside(
                  "time limited",
                  SECONDS,
                  own -> own.time(Round::limited, NodeFailure::single),
                  other),
              other));
      rows.add(
          Row.alone(name("busiest"), TIMES, busiest())
              .withNote("what the DataNode read that read most, by the mean of all"));
    }
    rows.add(beside("all time", SECONDS, own -> own.time(Round::free, any -> true), other));
    rows.add(
        beside("all time limited", SECONDS, own -> own.time(Round::limited, any -> true), other));
    rows.add(floor());
    split().forEach((what, share) -> rows.add(Row.alone(name("repair " + what), PER_CENT, share)));
    return rows;
  }

  /** Rows that tell what other chunks make of the same code. */
  List<Row> chunkRows(RepairMeasurements usual) {
    return List.of(
        beside("single blocks", BLOCKS, RepairMeasurements::singleBlocks, usual),
        beside("time", SECONDS, own -> own.time(Round::free, NodeFailure::single), usual),
        beside(
            "time limited", SECONDS, own -> own.time(Round::limited, NodeFailure::single), usual),
        floor());
  }

  private String name(String what) {
    return candidate.label() + " " + what;
  }

  private Row beside(String what, Row.Unit unit, Measure measure, RepairMeasurements other) {
    return other == this
        ? Row.alone(name(what), unit, measure.of(this))
        : Row.beside(
            name(what), unit, measure.of(this), other.candidate.label(), measure.of(other));
  }

  /** Something that is measured of each code. */
  @FunctionalInterface
  private interface Measure {
    Samples of(RepairMeasurements measurements);
  }

  /** What codes promise that are made for cheap repairs. */
  private Row limitedGoal(Row row, RepairMeasurements other) {
    boolean cheap = theory() <= MOST_TIME * other.theory();
    return cheap ? row.withGoalAtMost(MOST_TIME) : row;
  }

  private double theory() {
    return RepairCost.of(candidate.codec(), 1).averageReads();
  }

  private Samples singleBlocks() {
    return samples(round -> blocks(round, NodeFailure::single));
  }

  private Samples allBlocks() {
    return samples(round -> blocks(round, failure -> true));
  }

  private double blocks(Round round, Predicate<NodeFailure> which) {
    List<NodeFailure> failures = round.all().filter(which).toList();
    double read = failures.stream().mapToLong(NodeFailure::bytesRead).sum();
    return read / WITH_CHECKSUMS / blockBytes / lost(failures);
  }

  private static long lost(List<NodeFailure> failures) {
    return failures.stream().mapToLong(NodeFailure::lostBlocks).sum();
  }

  private String lostBlocks(Predicate<NodeFailure> which) {
    return "%d blocks were lost"
        .formatted(lost(rounds.stream().flatMap(Round::all).filter(which).toList()));
  }

  /** One of the two passes of a round. */
  @FunctionalInterface
  private interface Pass {
    List<NodeFailure> of(Round round);
  }

  private Samples time(Pass pass, Predicate<NodeFailure> which) {
    return samples(
        round -> pass.of(round).stream().filter(which).mapToDouble(NodeFailure::seconds).sum());
  }

  private Samples busiest() {
    return Samples.of(
        rounds.stream()
            .flatMap(round -> round.limited().stream())
            .filter(NodeFailure::single)
            .mapToDouble(NodeFailure::busiest)
            .toArray());
  }

  /** Each failure is a sample: the daemon and the floor had the same stripes to repair. */
  private Row floor() {
    List<NodeFailure> failures = rounds.stream().flatMap(round -> round.free().stream()).toList();
    return Row.beside(
            name("floor"),
            RATE,
            Samples.of(
                failures.stream()
                    .mapToDouble(failure -> failure.lostBlocks() * blockBytes / failure.seconds())
                    .toArray()),
            name("reads and writes"),
            Samples.of(
                failures.stream()
                    .mapToDouble(
                        failure ->
                            failure.lostBlocks()
                                * blockBytes
                                / failure.floorSeconds().orElseThrow())
                    .toArray()))
        .withGoal(LEAST_OF_FLOOR);
  }

  private Map<Integer, RepairTally.Cost> costs() {
    Map<Integer, RepairTally.Cost> sum = new TreeMap<>();
    rounds.stream()
        .flatMap(Round::all)
        .forEach(
            failure ->
                failure
                    .costs()
                    .forEach(
                        (losses, cost) ->
                            sum.merge(
                                losses,
                                cost,
                                (a, b) ->
                                    new RepairTally.Cost(
                                        a.stripes() + b.stripes(),
                                        a.bytesRead() + b.bytesRead()))));
    return sum;
  }

  private Map<String, Samples> split() {
    Map<String, Samples> shares = new TreeMap<>();
    for (String what : RepairSplit.Shares.NONE.perCent().keySet()) {
      shares.put(
          what,
          samples(
              round ->
                  round.free().stream()
                      .map(NodeFailure::split)
                      .reduce(RepairSplit.Shares.NONE, RepairSplit.Shares::plus)
                      .perCent()
                      .get(what)));
    }
    return shares;
  }

  private Samples samples(ToDoubleFunction<Round> value) {
    return Samples.of(rounds.stream().mapToDouble(value).toArray());
  }

  /** Returns the sentences that explain the rows. */
  String words() {
    List<NodeFailure> single =
        rounds.stream()
            .flatMap(round -> round.free().stream())
            .filter(NodeFailure::single)
            .toList();
    return String.format(
        Locale.ROOT,
        "%s: %.0f ms for each block that a single DataNode lost",
        candidate.label(),
        1000 * single.stream().mapToDouble(NodeFailure::seconds).sum() / Math.max(1, lost(single)));
  }
}
