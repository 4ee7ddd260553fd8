package io.hdfsraid.offline.bench.trace;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One way to say which files are raided first.
 *
 * @param temperature what it goes by
 * @param ranking a new one that goes by this temperature
 * @param told of which uses it is told; others do not give a file its replicas back either
 */
record Contestant(String name, Temperature temperature, Supplier<Ranking> ranking, Set<Use> told) {

  static Contestant recency(Trace trace) {
    return by(Contest.RECENCY, new LastUse(trace.files()), trace);
  }

  static Contestant frequency(Trace trace) {
    return by(Contest.FREQUENCY, new Count(trace.files()), trace);
  }

  static Contestant mix(Trace trace, Duration halfLife) {
    return by(Contest.mix(halfLife), new SmoothedCount(trace.files(), halfLife), trace);
  }

  static Contestant belady(Trace trace) {
    return by(Contest.BELADY, new NextUse(trace), trace);
  }

  static Contestant random(Trace trace) {
    return new Contestant(
        Contest.RANDOM,
        new LastUse(trace.files()),
        () -> new RandomRanking(trace.files(), trace.workload().seed()),
        EnumSet.allOf(Use.class));
  }

  /** The same, if it knows of uses by access times of this precision only; zero: of all. */
  Contestant knowing(Duration precision, Trace trace) {
    return precision.isZero()
        ? this
        : by(name, new RecordedUse(temperature, trace.files(), precision.toMillis()), trace);
  }

  /** The same, if it is not told of the nightly job. */
  Contestant withoutJob() {
    return new Contestant(
        name + Contest.WITHOUT_JOB, temperature, ranking, EnumSet.of(Use.WRITTEN, Use.READ));
  }

  private static Contestant by(String name, Temperature temperature, Trace trace) {
    return new Contestant(
        name,
        temperature,
        () -> new ColdestFirstRanking(temperature, trace.files()),
        EnumSet.allOf(Use.class));
  }
}
