// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

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
 * Measures tasks on one thread. It warms all of them up until they get no faster and checks their
 * results. Then the tasks take turns for a number of rounds, one short slice each, and their
 * results are checked again. A disturbance of the machine slows down all tasks of a round, so it
 * changes little of a ratio, which is taken within each round.
 */
public final class InterleavedRun {
  /** Passes that each task warms up for at least, and, after the least time, at most. */
  private static final int LEAST_PASSES = 3;

  private static final int MOST_PASSES = 12;

  /** A task that was not faster than ever before by this factor is warm. */
  private static final double FASTER = 1.1;

  private final Pace pace;
  private final Clocks clocks;

  /**
   * How often and how long tasks run.
   *
   * @param rounds how often each task is measured
   * @param sliceNanos how long at least, each time; it is always at least one run
   * @param warmUpNanos how long at least all of them warm up together
   */
  public record Pace(int rounds, long sliceNanos, long warmUpNanos) {
    /** Returns a sentence that explains the figures. */
    public String words() {
      return "Tasks take turns on one thread, in %d rounds of slices of %d ms. Values are medians."
          .formatted(rounds, sliceNanos / 1_000_000);
    }
  }

  /**
   * Nanoseconds since any moment.
   *
   * @param wall ends slices: cheap to ask
   * @param work what a slice took
   */
  public record Clocks(LongSupplier wall, LongSupplier work) {
    /**
     * Work is the CPU time of the thread, where the machine tells it: what other processes take in
     * the middle of a slice is not counted then.
     */
    public static Clocks ofThread() {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      return new Clocks(
          System::nanoTime,
          threads.isCurrentThreadCpuTimeSupported()
              ? threads::getCurrentThreadCpuTime
              : System::nanoTime);
    }
  }

  /** Hears how far the run is. */
  public interface Listener {
    /** So many more tasks, peers included, are warm. */
    void warm(int tasks);

    /** One slice was measured. */
    void measured();
  }

  public InterleavedRun(Pace pace, Clocks clocks) {
    this.pace = pace;
    this.clocks = clocks;
  }

  /**
   * Returns the speeds by name of the task. The speed of a peer is part of the tasks it ran beside.
   *
   * @throws WrongResultException when a task computes something wrong
   */
  public Map<String, TaskSpeed> run(List<InterleavedTasks> groups, Listener progress) {
    List<Runner> everybody = runners(groups);
    warmUp(everybody, progress);
    check(everybody);
    Map<String, TaskSpeed> outcomes = measure(groups, progress);
    check(everybody);
    return outcomes;
  }

  /** Returns the number of tasks; a peer of several groups counts once. */
  static int tasks(List<InterleavedTasks> groups) {
    return runners(groups).size();
  }

  /** Returns the number of slices in each round. */
  static int slices(List<InterleavedTasks> groups) {
    return (int) groups.stream().flatMap(InterleavedTasks::everybody).count();
  }

  private static List<Runner> runners(List<InterleavedTasks> groups) {
    Map<String, Runner> runners = new LinkedHashMap<>();
    groups.stream()
        .flatMap(InterleavedTasks::everybody)
        .forEach(task -> runners.computeIfAbsent(task.name(), name -> new Runner(task)));
    return List.copyOf(runners.values());
  }

  private void warmUp(List<Runner> everybody, Listener progress) {
    long start = clocks.wall().getAsLong();
    List<Runner> cold = new ArrayList<>(everybody);
    int passes = 0;
    int passesInTime = 0;
    while (!cold.isEmpty()) {
      cold.forEach(runner -> runner.last(rate(runner.task)));
      passes++;
      if (passes >= LEAST_PASSES && clocks.wall().getAsLong() - start >= pace.warmUpNanos()) {
        passesInTime++;
        int before = cold.size();
        if (passesInTime < MOST_PASSES) {
          cold.removeIf(runner -> !runner.gotFaster);
        } else {
          cold.clear();
        }
        progress.warm(before - cold.size());
      }
    }
  }

  private static void check(List<Runner> everybody) {
    for (Runner runner : everybody) {
      Task task = runner.task;
      task.ready();
      task.run();
      task.fault()
          .ifPresent(
              fault -> {
                throw new WrongResultException(task, fault);
              });
    }
  }

  private Map<String, TaskSpeed> measure(List<InterleavedTasks> groups, Listener progress) {
    List<Map<String, double[]>> rates = new ArrayList<>();
    groups.forEach(group -> rates.add(new HashMap<>()));
    for (int round = 0; round < pace.rounds(); round++) {
      for (int i = 0; i < groups.size(); i++) {
        for (Task task : groups.get(i).everybody().toList()) {
          rates.get(i).computeIfAbsent(task.name(), any -> new double[pace.rounds()])[round] =
              rate(task);
          progress.measured();
        }
      }
    }
    Map<String, TaskSpeed> outcomes = new LinkedHashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      Map<String, double[]> ofHeat = rates.get(i);
      Optional<TaskSpeed.Peer> peer =
          groups
              .get(i)
              .peer()
              .map(task -> new TaskSpeed.Peer(task.name(), Samples.of(ofHeat.get(task.name()))));
      for (Task task : groups.get(i).tasks()) {
        outcomes.put(task.name(), new TaskSpeed(Samples.of(ofHeat.get(task.name())), peer));
      }
    }
    return outcomes;
  }

  /** Amount per second, over one slice. */
  private double rate(Task task) {
    task.ready();
    long end = clocks.wall().getAsLong() + pace.sliceNanos();
    long start = clocks.work().getAsLong();
    long runs = 0;
    do {
      task.run();
      runs++;
    } while (clocks.wall().getAsLong() - end < 0);
    return runs * task.amount() * 1e9 / Math.max(1, clocks.work().getAsLong() - start);
  }

  /** A task that warms up. */
  private static final class Runner {
    final Task task;
    double best;
    boolean gotFaster;

    Runner(Task task) {
      this.task = task;
    }

    void last(double rate) {
      gotFaster = rate > FASTER * best;
      best = Math.max(best, rate);
    }
  }
}
