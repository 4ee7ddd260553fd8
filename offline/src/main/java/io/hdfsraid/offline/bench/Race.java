package io.hdfsraid.offline.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Measures rivals on one thread: warms all of them up until they get no faster, checks what they
 * computed, lets them take turns for a number of rounds, a short slice of time each, and checks
 * again. So a machine that is busy for a while slows down everybody, and a ratio, which is taken
 * within each round, is little touched by it.
 */
final class Race {
  /** Passes that each rival warms up for at least, and, after the least time, at most. */
  private static final int LEAST_PASSES = 3;

  private static final int MOST_PASSES = 12;

  /** Who was not this much faster than ever before has come to its speed. */
  private static final double FASTER = 1.1;

  private final Pace pace;
  private final Clocks clocks;

  /**
   * @param rounds how often each rival is measured
   * @param sliceNanos how long at least, each time; it is always at least one run
   * @param warmUpNanos how long at least all of them warm up together
   */
  record Pace(int rounds, long sliceNanos, long warmUpNanos) {
    /** For whoever reads the outcome. */
    String words() {
      return "Rivals take turns on one thread, in %d rounds of slices of %d ms. Values are medians."
          .formatted(rounds, sliceNanos / 1_000_000);
    }
  }

  /**
   * Nanoseconds since any moment.
   *
   * @param wall ends slices: cheap to ask
   * @param work what a slice took
   */
  record Clocks(LongSupplier wall, LongSupplier work) {
    /**
     * Work is the CPU time of the thread, where the machine tells it: what other processes take in
     * the middle of a slice is not counted then.
     */
    static Clocks ofThread() {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      return new Clocks(
          System::nanoTime,
          threads.isCurrentThreadCpuTimeSupported()
              ? threads::getCurrentThreadCpuTime
              : System::nanoTime);
    }
  }

  /** Is told how far it is. */
  interface Spectator {
    /** One more of all rivals, peers included, has come to its speed. */
    void warm(int rivals);

    /** One slice was measured. */
    void measured();
  }

  Race(Pace pace, Clocks clocks) {
    this.pace = pace;
    this.clocks = clocks;
  }

  /**
   * By name of the rival; peers are found at those they ran beside.
   *
   * @throws WrongResultException when a rival computes something wrong
   */
  Map<String, Outcome> run(List<Heat> heats, Spectator spectator) {
    List<Runner> everybody = runners(heats);
    warmUp(everybody, spectator);
    check(everybody);
    Map<String, Outcome> outcomes = measure(heats, spectator);
    check(everybody);
    return outcomes;
  }

  /** How many there are, a peer of several heats counted once. */
  static int rivals(List<Heat> heats) {
    return runners(heats).size();
  }

  /** How many slices are measured in each round. */
  static int slices(List<Heat> heats) {
    return (int) heats.stream().flatMap(Heat::everybody).count();
  }

  private static List<Runner> runners(List<Heat> heats) {
    Map<String, Runner> runners = new LinkedHashMap<>();
    heats.stream()
        .flatMap(Heat::everybody)
        .forEach(rival -> runners.computeIfAbsent(rival.name(), name -> new Runner(rival)));
    return List.copyOf(runners.values());
  }

  private void warmUp(List<Runner> everybody, Spectator spectator) {
    long start = clocks.wall().getAsLong();
    List<Runner> cold = new ArrayList<>(everybody);
    int passes = 0;
    int passesInTime = 0;
    while (!cold.isEmpty()) {
      cold.forEach(runner -> runner.last(rate(runner.rival)));
      passes++;
      if (passes >= LEAST_PASSES && clocks.wall().getAsLong() - start >= pace.warmUpNanos()) {
        passesInTime++;
        int before = cold.size();
        if (passesInTime < MOST_PASSES) {
          cold.removeIf(runner -> !runner.gotFaster);
        } else {
          cold.clear();
        }
        spectator.warm(before - cold.size());
      }
    }
  }

  private static void check(List<Runner> everybody) {
    for (Runner runner : everybody) {
      Rival rival = runner.rival;
      rival.ready();
      rival.run();
      rival
          .fault()
          .ifPresent(
              fault -> {
                throw new WrongResultException(rival, fault);
              });
    }
  }

  private Map<String, Outcome> measure(List<Heat> heats, Spectator spectator) {
    List<Map<String, double[]>> rates = new ArrayList<>();
    heats.forEach(heat -> rates.add(new HashMap<>()));
    for (int round = 0; round < pace.rounds(); round++) {
      for (int i = 0; i < heats.size(); i++) {
        for (Rival rival : heats.get(i).everybody().toList()) {
          rates.get(i).computeIfAbsent(rival.name(), any -> new double[pace.rounds()])[round] =
              rate(rival);
          spectator.measured();
        }
      }
    }
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (int i = 0; i < heats.size(); i++) {
      Map<String, double[]> ofHeat = rates.get(i);
      Optional<Outcome.Peer> peer =
          heats
              .get(i)
              .peer()
              .map(rival -> new Outcome.Peer(rival.name(), Samples.of(ofHeat.get(rival.name()))));
      for (Rival rival : heats.get(i).rivals()) {
        outcomes.put(rival.name(), new Outcome(Samples.of(ofHeat.get(rival.name())), peer));
      }
    }
    return outcomes;
  }

  /** Amount per second, over one slice. */
  private double rate(Rival rival) {
    rival.ready();
    long end = clocks.wall().getAsLong() + pace.sliceNanos();
    long start = clocks.work().getAsLong();
    long runs = 0;
    do {
      rival.run();
      runs++;
    } while (clocks.wall().getAsLong() - end < 0);
    return runs * rival.amount() * 1e9 / Math.max(1, clocks.work().getAsLong() - start);
  }

  /** A rival that warms up. */
  private static final class Runner {
    final Rival rival;
    double best;
    boolean gotFaster;

    Runner(Rival rival) {
      this.rival = rival;
    }

    void last(double rate) {
      gotFaster = rate > FASTER * best;
      best = Math.max(best, rate);
    }
  }
}
