// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.cluster.BenchSettings;
import io.hdfsraid.bench.cluster.Workbench;
import io.hdfsraid.bench.codec.Cell;
import io.hdfsraid.bench.codec.KernelSwitch;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.rescue.workspace.Workspace;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench raid}. */
@Command(
    name = "raid",
    description = {
      "Measures the time and bytes of raiding on an embedded HDFS. Two alternatives take turns with"
          + " it: a rewrite of the same files into a directory with HDFS's own erasure coding, and"
          + " a client that reads and writes as many bytes and computes nothing.",
      "Takes a few minutes. All files are in one temporary directory, which is removed at the end."
          + " Set TMPDIR to a directory in memory to measure software and not disks."
    },
    sortOptions = false)
public final class RaidBenchCommand implements Callable<Integer> {
  /** Shapes of Reed-Solomon for which HDFS has a policy. */
  private static final Set<StripeShape> POLICIES =
      Set.of(new StripeShape(3, 2), new StripeShape(6, 3), new StripeShape(10, 4));

  private static final String KERNEL = "portable";
  private static final int USUAL_ROUNDS = 5;

  /** Sources, three copies each, and the rewritten files, which deletes have not yet reached. */
  private static final int COPIES_ON_DISK = 6;

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "rs-6-3,rs-10-4",
      description = "Of rs-3-2, rs-6-3 and rs-10-4. Default: rs-6-3,rs-10-4")
  private List<String> codecs;

  @Option(
      names = "--kernel",
      paramLabel = "NAME",
      defaultValue = KERNEL,
      description = "What computes our parity. Default: portable, which every machine has")
  private String kernel;

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many files. Default: 4")
  private int files;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "30",
      description = "Blocks of each file. Default: 30")
  private int blocks;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      defaultValue = "8MiB",
      description = "Of the files, a number of MiB. Default: 8MiB")
  private String blockSize;

  @Option(
      names = "--datanodes",
      paramLabel = "N",
      defaultValue = "32",
      description = "How many DataNodes; at least the units of a stripe. Default: 32")
  private int dataNodes;

  @Option(
      names = "--racks",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many racks they are on. Default: 4")
  private int racks;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Files that are raided, rewritten or read at once. Default: 4")
  private int workers;

  @Mixin private BenchOptions options;

  private final KernelSwitch kernels = KernelSwitch.ofProcess();

  @Override
  public Integer call() {
    options.check();
    BenchSettings settings = settings();
    requireKernel();
    Workbench.requireSpace(settings.sourceBytes() * COPIES_ON_DISK, options);
    int warmUps = options.quick() ? 0 : 1;
    int rounds = options.rounds(options.quick() ? 1 : USUAL_ROUNDS);
    return options.run("raid", () -> measured(settings, warmUps, rounds));
  }

  private BenchSettings settings() {
    try {
      List<ErasureCodec> parsed = new ArrayList<>();
      for (String name : codecs) {
        ErasureCodec codec = Codecs.parse(name);
        if (!POLICIES.contains(codec.shape()) || !name.startsWith("rs-")) {
          throw new IllegalArgumentException(
              "--codec: HDFS has no policy for %s to compare with, only for rs-3-2, rs-6-3 and rs-10-4"
                  .formatted(name));
        }
        if (!parsed.contains(codec)) {
          parsed.add(codec);
        }
      }
      return new BenchSettings(
          parsed, files, blocks, Cell.parse(blockSize).bytes(), dataNodes, racks, workers);
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  private void requireKernel() {
    if (!kernels.names().contains(kernel)) {
      throw options.wrong(
          "--kernel: There is no kernel %s. Kernels are %s"
              .formatted(kernel, String.join(", ", kernels.names())));
    }
    kernels
        .problem(kernel)
        .ifPresent(
            problem -> {
              throw options.wrong("--kernel: " + problem);
            });
  }

  private BenchOptions.Measured measured(BenchSettings settings, int warmUps, int rounds) {
    kernels.use(kernel);
    return Workbench.measure(
        workbench -> {
          List<RaidMeasurements> all =
              workbench.onHdfs(settings, cluster -> measured(cluster, warmUps, rounds));
          return new BenchOptions.Measured(
              method(settings, warmUps, rounds, all),
              all.stream().flatMap(measurements -> measurements.rows().stream()).toList());
        });
  }

  private List<RaidMeasurements> measured(BenchCluster cluster, int warmUps, int rounds)
      throws IOException {
    try (Progress progress =
        options.progress("Measured steps", RaidBench.steps(cluster.settings(), warmUps, rounds))) {
      return new RaidBench(cluster, Clock.systemUTC()).run(warmUps, rounds, progress);
    }
  }

  private List<String> method(
      BenchSettings settings, int warmUps, int rounds, List<RaidMeasurements> all) {
    return List.of(
        "%d rounds after %d to warm up, in which raiding, the rewrite and the floor take turns. Values are medians."
            .formatted(rounds, warmUps),
        "Ratios are medians of the ratios of each round, quartiles those of these ratios (of the"
            + " values where there is no peer).",
        "%s, in %s; our kernel: %s; the coder of the rewrite: %s."
            .formatted(
                settings,
                Workspace.parent(),
                kernel,
                String.join(", ", all.stream().map(RaidMeasurements::coder).distinct().toList())),
        "Bytes are those that DataNodes read from replicas, with checksums, and received for"
            + " replicas. The time of raiding ends when",
        "the last file is reduced; the audit, which waits for the NameNode to drop excess replicas"
            + " and then moves units, follows.",
        "The floor reads the sources, writes as many bytes as parity has, and computes nothing. No"
            + " side reads what it has written.",
        "The split is of the time of the workers: waiting for data, coding, waiting for checksums,"
            + " for DataNodes to take parity, for the",
        "NameNode, and for the rest, which is the closing of parity and the proof by the DataNodes'"
            + " checksums.");
  }
}
