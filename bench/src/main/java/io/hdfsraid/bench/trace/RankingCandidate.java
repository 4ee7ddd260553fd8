// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One order in which files are raided.
 *
 * @param temperature the temperature that the order uses
 * @param ranking a new one that goes by this temperature
 * @param told of which uses it is told; others do not give a file its replicas back either
 */
record RankingCandidate(
    String name, Temperature temperature, Supplier<Ranking> ranking, Set<Use> told) {

  static RankingCandidate recency(Trace trace) {
    return by(RankingComparison.RECENCY, new LastUse(trace.files()), trace);
  }

  static RankingCandidate frequency(Trace trace) {
    return by(RankingComparison.FREQUENCY, new Count(trace.files()), trace);
  }

  static RankingCandidate mix(Trace trace, Duration halfLife) {
    return by(RankingComparison.mix(halfLife), new SmoothedCount(trace.files(), halfLife), trace);
  }

  static RankingCandidate belady(Trace trace) {
    return by(RankingComparison.BELADY, new NextUse(trace), trace);
  }

  static RankingCandidate random(Trace trace) {
    return new RankingCandidate(
        RankingComparison.RANDOM,
        new LastUse(trace.files()),
        () -> new RandomRanking(trace.files(), trace.workload().seed()),
        EnumSet.allOf(Use.class));
  }

  /** The same, if it knows of uses by access times of this precision only; zero: of all. */
  RankingCandidate knowing(Duration precision, Trace trace) {
    return precision.isZero()
        ? this
        : by(name, new RecordedUse(temperature, trace.files(), precision.toMillis()), trace);
  }

  /** The same, if it is not told of the nightly job. */
  RankingCandidate withoutJob() {
    return new RankingCandidate(
        name + RankingComparison.WITHOUT_JOB,
        temperature,
        ranking,
        EnumSet.of(Use.WRITTEN, Use.READ));
  }

  private static RankingCandidate by(String name, Temperature temperature, Trace trace) {
    return new RankingCandidate(
        name,
        temperature,
        () -> new ColdestFirstRanking(temperature, trace.files()),
        EnumSet.allOf(Use.class));
  }
}
