// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.cluster.BenchSettings;
import io.hdfsraid.bench.codec.LegacyCodec;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.raidshell.command.Progress;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures raiding, the rewrite into HDFS's own erasure coding, and the lower bound, in turn, with
 * the same files on the same cluster. Each round begins with another of the three.
 */
final class RaidBench {
  private static final int CONTESTS = 3;

  private final BenchCluster cluster;
  private final Clock clock;

  RaidBench(BenchCluster cluster, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /** How many steps {@link #run} makes. */
  static int steps(BenchSettings settings, int warmUps, int rounds) {
    return settings.codecs().size() * ((warmUps + rounds) * CONTESTS + 1);
  }

  /**
   * Measures.
   *
   * @param warmUps rounds that do not count
   */
  List<RaidMeasurements> run(int warmUps, int rounds, Progress progress) throws IOException {
    List<RaidMeasurements> all = new ArrayList<>();
    for (ErasureCodec codec : cluster.settings().codecs()) {
      all.add(new RaidMeasurements(codec, cluster.settings()));
    }
    for (int round = -warmUps; round < rounds; round++) {
      for (RaidMeasurements measurements : all) {
        Round measured = measure(measurements.codec(), round + warmUps, progress);
        if (round >= 0) {
          measurements.add(measured);
        }
      }
    }
    for (RaidMeasurements measurements : all) {
      measurements.legacy(legacy(measurements.codec()));
      progress.step(1);
    }
    return all;
  }

  /** The costs of each in one round. */
  record Round(RunCost rewrite, String coder, RunCost floor, RaidRun.Result raid) {}

  private Round measure(ErasureCodec codec, int turn, Progress progress) throws IOException {
    cluster.load();
    NativeRewrite rewrite = NativeRewrite.into(codec.shape(), cluster);
    try (RaidFloor floor = new RaidFloor(cluster, codec.shape());
        RaidRun raid = new RaidRun(cluster, codec, clock)) {
      RunCost rewritten = null;
      RunCost lowest = null;
      RaidRun.Result raided = null;
      for (int i = 0; i < CONTESTS; i++) {
        switch ((turn + i) % CONTESTS) {
          case 0 -> rewritten = rewrite.run();
          case 1 -> lowest = floor.run();
          default -> raided = raid.run();
        }
        progress.step(1);
      }
      cluster.removeSources();
      raid.removeParity();
      return new Round(rewritten, rewrite.coder(), lowest, raided);
    }
  }

  private TimeSplit legacy(ErasureCodec codec) throws IOException {
    cluster.load();
    try (RaidRun raid = new RaidRun(cluster, new LegacyCodec(codec), clock)) {
      TimeSplit split = raid.reduce();
      cluster.removeSources();
      raid.removeParity();
      return split;
    }
  }
}
