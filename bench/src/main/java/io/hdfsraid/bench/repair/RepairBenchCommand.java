// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import io.hdfsraid.bench.cluster.BenchSettings;
import io.hdfsraid.bench.cluster.Workbench;
import io.hdfsraid.bench.codec.Cell;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.rescue.workspace.Workspace;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench repair}. */
@Command(
    name = "repair",
    description = {
      "Measures the bytes and time of repairs, code by code, each on an embedded HDFS. DataNodes"
          + " die, the daemon's own jobs rebuild their units, and empty DataNodes replace them."
          + " Each code runs once at full speed, beside a client that reads and writes as many"
          + " bytes and computes nothing, and once with a limit on the bytes per second of each"
          + " DataNode.",
      "This is the experiment of the Xorbas paper on a small scale. It takes forty minutes and up"
          + " to 10 GB. All files are in one temporary directory, which is removed at the end. Set"
          + " TMPDIR to a directory in memory to measure software and not disks."
    },
    sortOptions = false)
public final class RepairBenchCommand implements Callable<Integer> {
  private static final String KERNEL = "portable";
  private static final int USUAL_FILES = 50;
  private static final int QUICK_FILES = 5;
  private static final List<Integer> USUAL_KILLS = List.of(1, 1, 1, 1, 3, 3, 2, 2);
  private static final List<Integer> QUICK_KILLS = List.of(1, 2);
  private static final List<String> USUAL_CHUNKS = List.of("64KiB", "256KiB");
  private static final int WARM_UP_FILES = 10;

  /** Of each file when it is raided, and while its excess replicas are not yet deleted. */
  private static final double COPIES_ON_DISK = 2;

  /** Those that are loaded have three replicas. */
  private static final int FILES_WITH_THREE = 10;

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "rs-10-4,lrc-xorbas-10-6,less-10-4,hitchhiker-10-4",
      description =
          "The first is what the others are compared with. Default:"
              + " rs-10-4,lrc-xorbas-10-6,less-10-4,hitchhiker-10-4")
  private List<String> codecs;

  @Option(
      names = "--chunk",
      paramLabel = "SIZE",
      split = ",",
      description =
          "Also raid with the first less-* code in rows of such chunks, beside its usual ones of"
              + " 1MiB. Default: 64KiB,256KiB, with --quick none")
  private List<String> chunks;

  @Option(
      names = "--kill",
      paramLabel = "N",
      split = ",",
      description =
          "How many DataNodes die at once, time after time. Default: 1,1,1,1,3,3,2,2, with --quick"
              + " 1,2")
  private List<Integer> kills;

  @Option(
      names = "--read-limit",
      paramLabel = "SIZE",
      defaultValue = "16MiB",
      description =
          "What a DataNode gives its readers in a second where that is limited"
              + " (dfs.datanode.data.read.bandwidthPerSec). Default: 16MiB")
  private String readLimit;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "How many files. Default: 50, with --quick 5")
  private Integer files;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "10",
      description = "Blocks of each file. Default: 10")
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
      defaultValue = "20",
      description =
          "How many DataNodes; the units of a stripe must fit on those that stay. Default: 20")
  private int dataNodes;

  @Option(
      names = "--racks",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many racks they are on. Default: 1")
  private int racks;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "8",
      description = "Stripes that are repaired at once. Default: 8")
  private int workers;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() {
    options.check();
    List<Integer> dying = options.or(kills, USUAL_KILLS, QUICK_KILLS);
    BenchSettings settings = settings(dying);
    List<RepairCandidate> candidates =
        settings.codecs().stream().map(codec -> RepairCandidate.of(codec, dying)).toList();
    List<RepairCandidate> chunked = chunked(candidates);
    Cell limit = Cell.parse(options, "--read-limit", readLimit);
    Workbench.requireSpace(
        (long) (settings.sourceBytes() * COPIES_ON_DISK)
            + settings.fileBytes() * 3 * FILES_WITH_THREE,
        options);
    int rounds = options.rounds(1);
    return options.run(
        "repair",
        () -> {
          useKernel();
          return Workbench.measure(
              workbench -> measured(workbench, settings, candidates, chunked, limit, rounds));
        });
  }

  private BenchSettings settings(List<Integer> dying) {
    try {
      List<ErasureCodec> parsed = codecs.stream().map(Codecs::parse).distinct().toList();
      int most = Collections.max(dying);
      if (Collections.min(dying) < 1) {
        throw new IllegalArgumentException("--kill is 1 or more each time, but got " + dying);
      }
      for (ErasureCodec codec : parsed) {
        int borne = codec.furtherLosses(UnitSet.none());
        if (most > borne) {
          throw new IllegalArgumentException(
              "--kill: %s bears %d losses, and %d DataNodes that die at once may be more"
                  .formatted(codec.name(), borne, most));
        }
        if (dataNodes - most < codec.shape().units()) {
          throw new IllegalArgumentException(
              "--datanodes: When %d of %d have died, the %d units of %s do not fit on the others"
                  .formatted(most, dataNodes, codec.shape().units(), codec.name()));
        }
      }
      int count = options.or(files, USUAL_FILES, QUICK_FILES);
      return new BenchSettings(
          parsed,
          count,
          blocks,
          Cell.parse(options, "--block-size", blockSize).bytes(),
          dataNodes,
          racks,
          workers);
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  private List<RepairCandidate> chunked(List<RepairCandidate> candidates) {
    List<String> sizes = options.or(chunks, USUAL_CHUNKS, List.of());
    Optional<RepairCandidate> less = less(candidates);
    if (less.isEmpty()) {
      if (chunks != null) {
        throw options.wrong("--chunk is of a less-* code, and --codec names none");
      }
      return List.of();
    }
    return sizes.stream()
        .map(size -> less.get().chunked(Cell.parse(options, "--chunk", size)))
        .toList();
  }

  private static Optional<RepairCandidate> less(List<RepairCandidate> candidates) {
    return candidates.stream().filter(one -> one.label().startsWith("less-")).findFirst();
  }

  private static void useKernel() {
    try {
      CodingKernels.force(KERNEL);
    } catch (KernelUnavailableException e) {
      throw new IllegalStateException(e);
    }
  }

  private BenchOptions.Measured measured(
      Workbench workbench,
      BenchSettings settings,
      List<RepairCandidate> candidates,
      List<RepairCandidate> chunked,
      Cell limit,
      int rounds)
      throws IOException {
    List<RepairCandidate> warmUp = options.quick() ? List.of() : warmUp(candidates);
    List<RepairCandidate> all = new ArrayList<>(candidates);
    all.addAll(chunked);
    try (Progress progress =
        options.progress(
            "Measured steps", RepairBench.steps(warmUp, 1) + RepairBench.steps(all, rounds))) {
      RepairBench warm =
          new RepairBench(workbench, settings.withFiles(WARM_UP_FILES), 0, Clock.systemUTC());
      for (RepairCandidate candidate : warmUp) {
        RepairMeasurements unused = warm.run(candidate, 1, progress);
      }
      RepairBench bench = new RepairBench(workbench, settings, limit.bytes(), Clock.systemUTC());
      List<RepairMeasurements> measured = new ArrayList<>();
      for (RepairCandidate candidate : all) {
        measured.add(bench.run(candidate, rounds, progress));
      }
      return new BenchOptions.Measured(
          method(settings, candidates, limit, rounds, measured), rows(candidates, measured));
    }
  }

  /** A little of everything, so that what is measured finds all compiled. */
  private static List<RepairCandidate> warmUp(List<RepairCandidate> candidates) {
    return candidates.stream().map(one -> RepairCandidate.of(one.codec(), List.of(1))).toList();
  }

  private static List<Row> rows(
      List<RepairCandidate> candidates, List<RepairMeasurements> measured) {
    RepairMeasurements first = measured.get(0);
    List<Row> rows = new ArrayList<>();
    for (RepairMeasurements each : measured) {
      if (candidates.contains(each.candidate())) {
        rows.addAll(each.rows(first));
      } else {
        RepairMeasurements usual = measured.get(candidates.indexOf(less(candidates).orElseThrow()));
        rows.addAll(each.chunkRows(usual));
      }
    }
    return rows;
  }

  private static List<String> method(
      BenchSettings settings,
      List<RepairCandidate> candidates,
      Cell limit,
      int rounds,
      List<RepairMeasurements> measured) {
    List<String> method = new ArrayList<>();
    method.add("%s, in %s; our kernel: %s.".formatted(settings, Workspace.parent(), KERNEL));
    method.add(
        "In %d rounds, %s DataNodes died at once, first without a limit, then with DataNodes that read %s per second."
            .formatted(rounds, candidates.get(0).kills(), Screen.bytes(limit.bytes())));
    method.add(
        "Blocks read are those that DataNodes have counted, for each block that was lost; 'with n"
            + " lost' as the daemon counted,");
    method.add(
        "by units that a stripe had lost, which are all rebuilt in one pass. 'single' and 'time'"
            + " are of the DataNodes that died alone,");
    method.add(
        "'all' of all that died; a time is the sum over them, from the start of the repair round"
            + " until all stripes are whole.");
    method.add(
        "The floor reads and writes the same, as many stripes at once, before the daemon does; it"
            + " computes nothing and asks nobody.");
    measured.forEach(each -> method.add(each.words()));
    return method;
  }
}
