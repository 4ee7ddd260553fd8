// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.bench.cluster.BenchSettings;
import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.raid.RaidBench.Round;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.erasurecode.ErasureCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The measurements with one codec, and their rows. */
final class RaidMeasurements {
  static final double MOST_BYTES_WITHOUT_MOVES = 0.62;
  static final double MOST_BYTES = 0.80;
  static final double MOST_TIME = 0.6;
  static final double LEAST_OF_FLOOR = 0.75;
  static final double MOST_CODING = 20;

  private static final Row.Unit MEGABYTES = new Row.Unit("MB", 1e6);
  private static final Row.Unit RATE = new Row.Unit("MB/s", 1e6);
  private static final Row.Unit SECONDS = new Row.Unit("s", 1);
  private static final Row.Unit PER_CENT = new Row.Unit("%", 1);

  private final ErasureCodec codec;
  private final long sourceBytes;
  private final int stripes;
  private final List<Round> rounds = new ArrayList<>();
  private TimeSplit legacy = TimeSplit.NONE;

  RaidMeasurements(ErasureCodec codec, BenchSettings settings) {
    this.codec = codec;
    this.sourceBytes = settings.sourceBytes();
    this.stripes = settings.files() * settings.stripes(codec.shape());
  }

  ErasureCodec codec() {
    return codec;
  }

  void add(Round round) {
    rounds.add(round);
  }

  void legacy(TimeSplit split) {
    legacy = split;
  }

  /** The class of Hadoop that computed the parity of the rewrite. */
  String coder() {
    return rounds.get(0).coder();
  }

  List<Row> rows() {
    String rewrite = codec.name() + " rewrite";
    List<Row> rows = new ArrayList<>();
    rows.add(
        beside(
                "raid bytes",
                MEGABYTES,
                round -> round.raid().reduced().bytes() + round.raid().audited().bytes(),
                rewrite,
                round -> round.rewrite().bytes())
            .withGoalAtMost(MOST_BYTES));
    rows.add(
        beside(
                "raid bytes without moves",
                MEGABYTES,
                round -> round.raid().reduced().bytes(),
                rewrite,
                round -> round.rewrite().bytes())
            .withGoalAtMost(MOST_BYTES_WITHOUT_MOVES));
    rows.add(
        alone("raid moves", MEGABYTES, round -> round.raid().audited().bytes())
            .withNote(
                String.format(
                    Locale.ROOT,
                    "%.1f units of each stripe moved",
                    samples(round -> round.raid().unitsMoved()).median() / stripes)));
    rows.add(
        beside(
                "raid time",
                SECONDS,
                round -> round.raid().reduced().seconds(),
                rewrite,
                round -> round.rewrite().seconds())
            .withGoalAtMost(MOST_TIME)
            .withNote("the rewrite's coder is " + coder()));
    rows.add(
        beside(
                "raid floor",
                RATE,
                round -> sourceBytes / round.raid().reduced().seconds(),
                codec.name() + " floor",
                round -> sourceBytes / round.floor().seconds())
            .withGoal(LEAST_OF_FLOOR));
    rows.add(alone("raid audit", SECONDS, round -> round.raid().audited().seconds()));
    for (String part : TimeSplit.NONE.shares().keySet()) {
      Row row = alone("raid " + part, PER_CENT, round -> round.raid().split().shares().get(part));
      rows.add(part.equals(TimeSplit.CODE) ? row.withGoalAtMost(MOST_CODING) : row);
    }
    legacy
        .shares()
        .forEach(
            (part, share) ->
                rows.add(
                    Row.alone(codec.name() + " rs-legacy " + part, PER_CENT, Samples.of(share))));
    return rows;
  }

  private Row alone(String name, Row.Unit unit, ToDoubleFunction<Round> value) {
    return Row.alone(codec.name() + " " + name, unit, samples(value));
  }

  private Row beside(
      String name,
      Row.Unit unit,
      ToDoubleFunction<Round> value,
      String peer,
      ToDoubleFunction<Round> peerValue) {
    return Row.beside(codec.name() + " " + name, unit, samples(value), peer, samples(peerValue));
  }

  private Samples samples(ToDoubleFunction<Round> value) {
    return Samples.of(rounds.stream().mapToDouble(value).toArray());
  }
}
