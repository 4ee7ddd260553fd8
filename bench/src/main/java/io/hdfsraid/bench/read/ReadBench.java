// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.raidshell.command.Progress;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures reads of raided files beside plain ones and beside those of HDFS's own erasure coding,
 * all on one HDFS. Within a round all rivals take turns.
 */
final class ReadBench {
  /** HDFS would hand out half a second's bytes at once, the better part of a small block. */
  private static final Duration LIMIT_STEP = Duration.ofMillis(20);

  private static final long SEED = 14978;
  private static final int MIB = 1 << 20;

  private final BenchCluster cluster;
  private final Effort effort;
  private final long readLimit;
  private final ReadFiles files;
  private final Random random = new Random(SEED);

  /**
   * How much is measured.
   *
   * @param rounds that count, after the warm-ups
   * @param limitedRounds those with a limit on the reads of DataNodes, which take long
   * @param repeats of the scans of healthy files in a round
   * @param batches of ten small reads in a round
   * @param firstReads in a round
   * @param laterReads in a round
   */
  record Effort(
      int warmUps,
      int rounds,
      int limitedRounds,
      int repeats,
      int batches,
      int firstReads,
      int laterReads) {
    static Effort usual(int rounds) {
      return new Effort(1, rounds, Math.min(rounds, 2), 3, 100, 10, 200);
    }

    static Effort quick(int rounds) {
      return new Effort(0, rounds, 1, 1, 10, 2, 20);
    }

    int steps(int codecs) {
      return 1 + warmUps + rounds + codecs * limitedRounds;
    }
  }

  /**
   * The results, and the rivals that they belong to.
   *
   * @param codecs in the order in which they were asked for
   * @param policies by name
   */
  record Outcome(
      Rival plain,
      Map<ErasureCodec, Rival> codecs,
      Map<StripedPolicy, Rival> policies,
      ReadResults results) {}

  /**
   * @param readLimit bytes per second that each DataNode gives its readers in the limited scans
   */
  ReadBench(BenchCluster cluster, Effort effort, long readLimit, Clock clock) {
    this.cluster = cluster;
    this.effort = effort;
    this.readLimit = readLimit;
    this.files = new ReadFiles(cluster, clock, new FileContent());
  }

  Outcome run(Progress progress) throws IOException {
    ReadResults results = new ReadResults();
    Outcome outcome = prepare(results);
    progress.step(1);
    List<Trial> trials = trials(outcome);
    for (int round = -effort.warmUps(); round < effort.rounds(); round++) {
      ReadResults into = round < 0 ? new ReadResults() : results;
      for (Trial trial : trials) {
        trial.round(round + effort.warmUps(), into);
      }
      progress.step(1);
    }
    for (Rival codec : outcome.codecs().values()) {
      limited(codec, results, progress);
    }
    return outcome;
  }

  private Outcome prepare(ReadResults results) throws IOException {
    Rival plain = files.plain();
    Map<ErasureCodec, Rival> codecs = new LinkedHashMap<>();
    Map<StripedPolicy, Rival> policies = new LinkedHashMap<>();
    for (ErasureCodec codec : cluster.settings().codecs()) {
      codecs.put(codec, files.raided(codec));
      for (StripedPolicy policy : StripedPolicy.like(codec).andWithSmallCells()) {
        if (!policies.containsKey(policy)) {
          policies.put(policy, files.striped(policy));
        }
      }
    }
    Outcome outcome = new Outcome(plain, codecs, policies, results);
    files.settle(all(outcome));
    return outcome;
  }

  private static List<Rival> all(Outcome outcome) {
    List<Rival> all = new ArrayList<>(List.of(outcome.plain()));
    all.addAll(degraded(outcome));
    return all;
  }

  private static List<Rival> degraded(Outcome outcome) {
    List<Rival> degraded = new ArrayList<>(outcome.codecs().values());
    degraded.addAll(outcome.policies().values());
    return degraded;
  }

  private List<Trial> trials(Outcome outcome) {
    Rival raided = outcome.codecs().values().iterator().next();
    List<Rival> healthy = new ArrayList<>(List.of(outcome.plain(), raided));
    healthy.addAll(outcome.policies().values());
    List<Rival> degraded = degraded(outcome);
    List<Trial> trials = new ArrayList<>();
    trials.add(new HealthyReads(healthy, effort.batches(), random));
    trials.add(Scans.healthy(List.of(outcome.plain(), raided), effort.repeats(), random));
    for (Rival codec : outcome.codecs().values()) {
      trials.add(Scans.degraded(codec, Measure.WHOLE_RATE, Measure.DEGRADED_RATE, random));
    }
    trials.add(
        new FirstReads(degraded, OpenFile.BYTES, Measure.FIRST_4_KIB, effort.firstReads(), random));
    trials.add(new FirstReads(degraded, MIB, Measure.FIRST_1_MIB, effort.firstReads(), random));
    trials.add(new LaterReads(degraded, effort.laterReads(), random));
    trials.add(
        new SlowHelperReads(
            new BlockLosses(cluster.hdfs()), degraded, effort.laterReads(), random));
    List<Rival> tables = new ArrayList<>(List.of(outcome.plain()));
    tables.addAll(degraded);
    trials.add(new TableScans(cluster, tables, random));
    trials.add(new ReadCosts(cluster, List.copyOf(outcome.codecs().values()), degraded, random));
    return trials;
  }

  private void limited(Rival codec, ReadResults results, Progress progress) throws IOException {
    Trial scans =
        Scans.degraded(codec, Measure.WHOLE_RATE_LIMITED, Measure.DEGRADED_RATE_LIMITED, random);
    cluster.hdfs().limitReads(readLimit, LIMIT_STEP);
    for (int round = 0; round < effort.limitedRounds(); round++) {
      scans.round(round, results);
      progress.step(1);
    }
    cluster.hdfs().limitReads(0);
  }
}
