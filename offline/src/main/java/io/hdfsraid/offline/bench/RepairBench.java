package io.hdfsraid.offline.bench;

import io.hdfsraid.offline.output.Progress;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * The repairs of several codes, one after another, each on an HDFS of its own with the same files,
 * whose DataNodes die in the same way.
 */
final class RepairBench {
  private static final String CATALOG = "catalog";

  private final Workbench workbench;
  private final BenchSettings settings;
  private final long readLimit;
  private final Clock clock;

  /**
   * @param readLimit bytes per second that each DataNode gives its readers in the second half of a
   *     round
   */
  RepairBench(Workbench workbench, BenchSettings settings, long readLimit, Clock clock) {
    this.workbench = workbench;
    this.settings = settings;
    this.readLimit = readLimit;
    this.clock = clock;
  }

  /** How many steps {@link #run} makes. */
  static int steps(List<RepairContestant> contestants, int rounds) {
    return contestants.stream().mapToInt(one -> 1 + 2 * rounds * one.kills().size()).sum();
  }

  /** Measures one code. */
  RepairMeasurements run(RepairContestant contestant, int rounds, Progress progress)
      throws IOException {
    try {
      return workbench.onHdfs(settings, cluster -> run(contestant, cluster, rounds, progress));
    } finally {
      workbench.remove(CATALOG);
    }
  }

  private RepairMeasurements run(
      RepairContestant contestant, BenchCluster cluster, int rounds, Progress progress)
      throws IOException {
    RepairMeasurements measurements =
        new RepairMeasurements(contestant, cluster.settings().blockBytes());
    FailureDrill.prepare(cluster, contestant.codec(), clock);
    progress.step(1);
    try (FailureDrill drill = new FailureDrill(cluster, workbench.directory(CATALOG), clock)) {
      for (int round = 0; round < rounds; round++) {
        measurements.add(
            new RepairMeasurements.Round(
                pass(drill, contestant, 0, progress),
                pass(drill, contestant, readLimit, progress)));
      }
    }
    return measurements;
  }

  private static List<NodeFailure> pass(
      FailureDrill drill, RepairContestant contestant, long limit, Progress progress)
      throws IOException {
    List<NodeFailure> failures = new ArrayList<>();
    for (int nodes : contestant.kills()) {
      failures.add(drill.fail(nodes, limit));
      progress.step(1);
    }
    return failures;
  }
}
