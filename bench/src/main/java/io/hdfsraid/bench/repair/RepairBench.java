// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.cluster.BenchSettings;
import io.hdfsraid.bench.cluster.Workbench;
import io.hdfsraid.raidshell.command.Progress;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the repairs of several codes, one after another. Each code has an HDFS of its own with
 * the same files, whose DataNodes die in the same way.
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
  static int steps(List<RepairCandidate> candidates, int rounds) {
    return candidates.stream().mapToInt(one -> 1 + 2 * rounds * one.kills().size()).sum();
  }

  /** Measures one code. */
  RepairMeasurements run(RepairCandidate candidate, int rounds, Progress progress)
      throws IOException {
    try {
      return workbench.onHdfs(settings, cluster -> run(candidate, cluster, rounds, progress));
    } finally {
      workbench.remove(CATALOG);
    }
  }

  private RepairMeasurements run(
      RepairCandidate candidate, BenchCluster cluster, int rounds, Progress progress)
      throws IOException {
    RepairMeasurements measurements =
        new RepairMeasurements(candidate, cluster.settings().blockBytes());
    NodeFailureRun.prepare(cluster, candidate.codec(), clock);
    progress.step(1);
    try (NodeFailureRun run = new NodeFailureRun(cluster, workbench.directory(CATALOG), clock)) {
      for (int round = 0; round < rounds; round++) {
        measurements.add(
            new RepairMeasurements.Round(
                pass(run, candidate, 0, progress), pass(run, candidate, readLimit, progress)));
      }
    }
    return measurements;
  }

  private static List<NodeFailure> pass(
      NodeFailureRun run, RepairCandidate candidate, long limit, Progress progress)
      throws IOException {
    List<NodeFailure> failures = new ArrayList<>();
    for (int nodes : candidate.kills()) {
      failures.add(run.fail(nodes, limit));
      progress.step(1);
    }
    return failures;
  }
}
