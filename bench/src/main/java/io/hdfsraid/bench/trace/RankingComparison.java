// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Runs all candidates on one trace, one after the other. */
public final class RankingComparison {
  public static final String RECENCY = "recency";
  public static final String FREQUENCY = "frequency";
  public static final String RANDOM = "random";
  public static final String BELADY = "Belady";

  /** After the name of one that is not told of the nightly job. */
  public static final String WITHOUT_JOB = " without job";

  private final Trace trace;
  private final List<Integer> percents;
  private final List<Duration> halfLives;
  private final Duration precision;

  /**
   * @param percents of all bytes that fit into files with all their replicas
   * @param halfLives of the smoothed counts
   * @param precision of the access times by which candidates know of uses; zero: they know all
   */
  public RankingComparison(
      Trace trace, List<Integer> percents, List<Duration> halfLives, Duration precision) {
    this.trace = trace;
    this.percents = List.copyOf(percents);
    this.halfLives = List.copyOf(halfLives);
    this.precision = precision;
  }

  /** How often the trace is played. */
  public static int candidates(Workload workload, List<Duration> halfLives) {
    return 4 + halfLives.size() + (workload.scanned() > 0 ? 1 : 0);
  }

  /** The name of the mix of recency and frequency with this half-life. */
  public static String mix(Duration halfLife) {
    return halfLife.toHours() % 24 == 0
        ? "mix %dd".formatted(halfLife.toDays())
        : "mix %dh".formatted(halfLife.toHours());
  }

  /**
   * Runs all candidates and returns their results, ordered by candidate, then by share.
   *
   * @param progress receives the number of further uses that were played
   */
  public List<RankingResult> run(IntConsumer progress) {
    List<RankingResult> results = new ArrayList<>();
    results.addAll(run(RankingCandidate.belady(trace), progress));
    results.addAll(run(recency(), progress));
    for (Duration halfLife : halfLives) {
      results.addAll(run(mixed(halfLife), progress));
    }
    results.addAll(run(RankingCandidate.frequency(trace).knowing(precision, trace), progress));
    results.addAll(run(RankingCandidate.random(trace), progress));
    if (trace.workload().scanned() > 0) {
      results.addAll(run(recency().withoutJob(), progress));
    }
    return results;
  }

  private RankingCandidate recency() {
    return RankingCandidate.recency(trace).knowing(precision, trace);
  }

  private RankingCandidate mixed(Duration halfLife) {
    return RankingCandidate.mix(trace, halfLife).knowing(precision, trace);
  }

  private List<RankingResult> run(RankingCandidate candidate, IntConsumer progress) {
    Replay replay = new Replay(trace, candidate);
    List<HotFiles> clusters = new ArrayList<>();
    for (int percent : percents) {
      clusters.add(replay.with(percent, file -> {}));
    }
    replay.run(progress);
    List<RankingResult> results = new ArrayList<>();
    for (int i = 0; i < clusters.size(); i++) {
      HotFiles cluster = clusters.get(i);
      results.add(
          new RankingResult(candidate.name(), percents.get(i), cluster.byAll(), cluster.byUsers()));
    }
    return results;
  }

  /** No order misses less than this, in per cent of all reads; by share. */
  public List<Double> leastMissRatios() {
    return percents.stream().map(LeastMisses.ofReads(trace)::missRatio).toList();
  }

  /** Returns the least byte miss ratios, by share. */
  public List<Double> leastByteMissRatios() {
    return percents.stream().map(LeastMisses.ofBytes(trace)::missRatio).toList();
  }
}
