// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.ArrayList;
import java.util.List;

/** The rows of the report on reads. */
final class ReadRows {
  static final double MOST_BATCH = 1.05;
  static final double LEAST_HEALTHY = 0.98;
  static final double LEAST_DEGRADED = 0.5;
  static final double LEAST_DEGRADED_OF_FEW_HELPERS = 0.6;
  static final double MOST_FIRST_MILLIS = 60;
  static final double MOST_OF_NATIVE = 1;
  static final double MOST_FIRST_CALLS = 6;
  static final double MOST_NEXT_CALLS = 1;

  /** A read of 4 KiB may rebuild the 4 KiB beside it, too. */
  static final int MOST_FETCHED_PER_HELPER = 8 << 10;

  private static final int FEW_HELPERS = 6;

  private static final Row.Unit MILLIS = new Row.Unit("ms", 1);
  private static final Row.Unit RATE = new Row.Unit("MB/s", 1e6);
  private static final Row.Unit KIB = new Row.Unit("KiB", 1024);
  private static final Row.Unit ONE = new Row.Unit("bytes", 1);
  private static final Row.Unit CALLS = new Row.Unit("calls", 1);

  private final ReadBench.Outcome outcome;

  ReadRows(ReadBench.Outcome outcome) {
    this.outcome = outcome;
  }

  List<Row> all() {
    List<Row> rows = new ArrayList<>(healthy());
    outcome.codecs().forEach((codec, rival) -> rows.addAll(degraded(codec, rival)));
    return rows;
  }

  private List<Row> healthy() {
    Rival raided = outcome.codecs().values().iterator().next();
    String batch = "healthy batch of %d small reads".formatted(HealthyReads.READS);
    List<Row> rows = new ArrayList<>();
    rows.add(
        beside(batch, MILLIS, Measure.BATCH, raided, outcome.plain()).withGoalAtMost(MOST_BATCH));
    for (Rival policy : outcome.policies().values()) {
      rows.add(beside(batch + " beside " + policy.name(), MILLIS, Measure.BATCH, raided, policy));
    }
    rows.add(
        beside("healthy sequential", RATE, Measure.HEALTHY_RATE, raided, outcome.plain())
            .withGoal(LEAST_HEALTHY));
    return rows;
  }

  private List<Row> degraded(ErasureCodec codec, Rival rival) {
    Rival policy = outcome.policies().get(StripedPolicy.like(codec));
    double least = helpers(codec) <= FEW_HELPERS ? LEAST_DEGRADED_OF_FEW_HELPERS : LEAST_DEGRADED;
    List<Row> rows = new ArrayList<>();
    rows.add(
        scans(rival, "degraded sequential", Measure.DEGRADED_RATE, Measure.WHOLE_RATE)
            .withGoal(least));
    rows.add(
        scans(
                rival,
                "degraded sequential limited",
                Measure.DEGRADED_RATE_LIMITED,
                Measure.WHOLE_RATE_LIMITED)
            .withGoal(least));
    for (TableScans.Scan scan : TableScans.SCANS) {
      String name = rival.name() + " degraded scan of " + scan.format().scanned();
      rows.add(beside(name, RATE, scan.rate(), rival, outcome.plain()));
      rows.add(beside(name + " beside " + policy.name(), RATE, scan.rate(), rival, policy));
      rows.add(
          beside(
              rival.name() + " bytes fetched per byte of " + scan.format().scanned(),
              ONE,
              scan.fetched(),
              rival,
              policy));
    }
    first(rows, rival, policy, "4 KiB", Measure.FIRST_4_KIB);
    first(rows, rival, policy, "1 MiB", Measure.FIRST_1_MIB);
    latency(rows, rival, policy, "4 KiB p50", Measure.P50);
    latency(rows, rival, policy, "4 KiB p99", Measure.P99);
    latency(rows, rival, policy, "4 KiB slow helper first", Measure.SLOW_FIRST);
    latency(rows, rival, policy, "4 KiB slow helper p50", Measure.SLOW_P50);
    latency(rows, rival, policy, "4 KiB slow helper p99", Measure.SLOW_P99);
    Row fetched =
        beside(rival.name() + " bytes fetched per 4 KiB read", KIB, Measure.FETCHED, rival, policy);
    rows.add(
        codec.subUnits() == 1
            ? fetched.withGoalOfValueAtMost(
                codec.shape().dataUnits() * MOST_FETCHED_PER_HELPER / KIB.size())
            : fetched);
    rows.add(
        alone(rival, "NameNode calls of the first stream", Measure.FIRST_CALLS)
            .withGoalAtMost(MOST_FIRST_CALLS));
    rows.add(
        alone(rival, "NameNode calls of the next stream", Measure.NEXT_CALLS)
            .withGoalAtMost(MOST_NEXT_CALLS));
    return rows;
  }

  private static int helpers(ErasureCodec codec) {
    UnitSet lost = UnitSet.of(BlockLosses.LOST);
    return codec
        .recipe(lost, UnitSet.all(codec.shape()).minus(lost), ReadCost.UNIFORM)
        .orElseThrow()
        .helpers()
        .size();
  }

  private void first(List<Row> rows, Rival rival, Rival policy, String bytes, Measure measure) {
    String name = rival.name() + " degraded first byte " + bytes;
    rows.add(alone(name, MILLIS, measure, rival).withGoalAtMost(MOST_FIRST_MILLIS));
    rows.add(
        beside(name + " beside " + policy.name(), MILLIS, measure, rival, policy)
            .withGoalAtMost(MOST_OF_NATIVE));
  }

  private void latency(List<Row> rows, Rival rival, Rival policy, String what, Measure measure) {
    rows.add(beside(rival.name() + " degraded " + what, MILLIS, measure, rival, policy));
  }

  private Row scans(Rival rival, String what, Measure degraded, Measure whole) {
    return Row.beside(
        rival.name() + " " + what,
        RATE,
        samples(rival, degraded),
        rival.name() + " healthy",
        samples(rival, whole));
  }

  private Row alone(Rival rival, String what, Measure measure) {
    return alone(rival.name() + " " + what, CALLS, measure, rival);
  }

  private Row alone(String name, Row.Unit unit, Measure measure, Rival rival) {
    return Row.alone(name, unit, samples(rival, measure));
  }

  private Row beside(String name, Row.Unit unit, Measure measure, Rival rival, Rival peer) {
    return Row.beside(name, unit, samples(rival, measure), peer.name(), samples(peer, measure));
  }

  private Samples samples(Rival rival, Measure measure) {
    return outcome.results().of(rival, measure);
  }
}
