package io.hdfsraid.offline.bench.trace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** All contestants on one trace, one after the other. */
public final class Contest {
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
   * @param precision of the access times by which contestants know of uses; zero: they know all
   */
  public Contest(
      Trace trace, List<Integer> percents, List<Duration> halfLives, Duration precision) {
    this.trace = trace;
    this.percents = List.copyOf(percents);
    this.halfLives = List.copyOf(halfLives);
    this.precision = precision;
  }

  /** How often the trace is played. */
  public static int contestants(Workload workload, List<Duration> halfLives) {
    return 4 + halfLives.size() + (workload.scanned() > 0 ? 1 : 0);
  }

  /** The name of the mix of recency and frequency with this half-life. */
  public static String mix(Duration halfLife) {
    return halfLife.toHours() % 24 == 0
        ? "mix %dd".formatted(halfLife.toDays())
        : "mix %dh".formatted(halfLife.toHours());
  }

  /**
   * By contestant, then by share.
   *
   * @param progress is told of more uses that have been played
   */
  public List<Standing> run(IntConsumer progress) {
    List<Standing> standings = new ArrayList<>();
    standings.addAll(run(Contestant.belady(trace), progress));
    standings.addAll(run(recency(), progress));
    for (Duration halfLife : halfLives) {
      standings.addAll(run(mixed(halfLife), progress));
    }
    standings.addAll(run(Contestant.frequency(trace).knowing(precision, trace), progress));
    standings.addAll(run(Contestant.random(trace), progress));
    if (trace.workload().scanned() > 0) {
      standings.addAll(run(recency().withoutJob(), progress));
    }
    return standings;
  }

  private Contestant recency() {
    return Contestant.recency(trace).knowing(precision, trace);
  }

  private Contestant mixed(Duration halfLife) {
    return Contestant.mix(trace, halfLife).knowing(precision, trace);
  }

  private List<Standing> run(Contestant contestant, IntConsumer progress) {
    Replay replay = new Replay(trace, contestant);
    List<HotFiles> clusters = new ArrayList<>();
    for (int percent : percents) {
      clusters.add(replay.with(percent, file -> {}));
    }
    replay.run(progress);
    List<Standing> standings = new ArrayList<>();
    for (int i = 0; i < clusters.size(); i++) {
      HotFiles cluster = clusters.get(i);
      standings.add(
          new Standing(contestant.name(), percents.get(i), cluster.byAll(), cluster.byUsers()));
    }
    return standings;
  }

  /** No order misses less than this, in per cent of all reads; by share. */
  public List<Double> leastMissRatios() {
    return percents.stream().map(LeastMisses.ofReads(trace)::missRatio).toList();
  }

  /** Likewise, of the bytes that are read. */
  public List<Double> leastByteMissRatios() {
    return percents.stream().map(LeastMisses.ofBytes(trace)::missRatio).toList();
  }
}
