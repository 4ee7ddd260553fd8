package io.hdfsraid.offline.bench;

import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.erasurecode.CodingKernels;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.KernelUnavailableException;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.offline.output.Progress;
import io.hdfsraid.offline.workspace.Workspace;
import io.hdfsraid.raidshell.Screen;
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

/** Measures repairs. */
@Command(
    name = "repair",
    description = {
      "What repairs read and how long they take, code by code, each on an HDFS of its own in this"
          + " process: DataNodes die, the daemon's own rounds rebuild what was on them, and empty"
          + " DataNodes take their place. Once at full speed, beside a client that reads and writes"
          + " as much and computes nothing, and once with DataNodes that give their readers only so"
          + " many bytes per second.",
      "The experiment of the paper on Xorbas in small. Takes forty minutes and up to 10 GB."
          + " Everything it writes is in one temporary directory, which is removed at the end: set"
          + " TMPDIR to one in memory to measure software and not disks."
    },
    sortOptions = false)
final class RepairBenchCommand implements Callable<Integer> {
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
    List<RepairContestant> contestants =
        settings.codecs().stream().map(codec -> RepairContestant.of(codec, dying)).toList();
    List<RepairContestant> chunked = chunked(contestants);
    Cell limit = parsed("--read-limit", readLimit);
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
              workbench -> measured(workbench, settings, contestants, chunked, limit, rounds));
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
          parsed("--block-size", blockSize).bytes(),
          dataNodes,
          racks,
          workers);
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  private Cell parsed(String option, String size) {
    try {
      return Cell.parse(size);
    } catch (IllegalArgumentException e) {
      throw options.wrong(option + ": " + e.getMessage());
    }
  }

  private List<RepairContestant> chunked(List<RepairContestant> contestants) {
    List<String> sizes = options.or(chunks, USUAL_CHUNKS, List.of());
    Optional<RepairContestant> less = less(contestants);
    if (less.isEmpty()) {
      if (chunks != null) {
        throw options.wrong("--chunk is of a less-* code, and --codec names none");
      }
      return List.of();
    }
    return sizes.stream().map(size -> less.get().chunked(parsed("--chunk", size))).toList();
  }

  private static Optional<RepairContestant> less(List<RepairContestant> contestants) {
    return contestants.stream().filter(one -> one.label().startsWith("less-")).findFirst();
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
      List<RepairContestant> contestants,
      List<RepairContestant> chunked,
      Cell limit,
      int rounds)
      throws IOException {
    List<RepairContestant> warmUp = options.quick() ? List.of() : warmUp(contestants);
    List<RepairContestant> all = new ArrayList<>(contestants);
    all.addAll(chunked);
    try (Progress progress =
        options.progress(
            "Measured steps", RepairBench.steps(warmUp, 1) + RepairBench.steps(all, rounds))) {
      RepairBench warm =
          new RepairBench(workbench, settings.withFiles(WARM_UP_FILES), 0, Clock.systemUTC());
      for (RepairContestant contestant : warmUp) {
        RepairMeasurements unused = warm.run(contestant, 1, progress);
      }
      RepairBench bench = new RepairBench(workbench, settings, limit.bytes(), Clock.systemUTC());
      List<RepairMeasurements> measured = new ArrayList<>();
      for (RepairContestant contestant : all) {
        measured.add(bench.run(contestant, rounds, progress));
      }
      return new BenchOptions.Measured(
          method(settings, contestants, limit, rounds, measured), rows(contestants, measured));
    }
  }

  /** A little of everything, so that what is measured finds all compiled. */
  private static List<RepairContestant> warmUp(List<RepairContestant> contestants) {
    return contestants.stream().map(one -> RepairContestant.of(one.codec(), List.of(1))).toList();
  }

  private static List<Row> rows(
      List<RepairContestant> contestants, List<RepairMeasurements> measured) {
    RepairMeasurements first = measured.get(0);
    List<Row> rows = new ArrayList<>();
    for (RepairMeasurements each : measured) {
      if (contestants.contains(each.contestant())) {
        rows.addAll(each.rows(first));
      } else {
        RepairMeasurements usual =
            measured.get(contestants.indexOf(less(contestants).orElseThrow()));
        rows.addAll(each.chunkRows(usual));
      }
    }
    return rows;
  }

  private static List<String> method(
      BenchSettings settings,
      List<RepairContestant> contestants,
      Cell limit,
      int rounds,
      List<RepairMeasurements> measured) {
    List<String> method = new ArrayList<>();
    method.add("%s, in %s; our kernel: %s.".formatted(settings, Workspace.parent(), KERNEL));
    method.add(
        "In %d rounds, %s DataNodes died at once, first without a limit, then with DataNodes that read %s per second."
            .formatted(rounds, contestants.get(0).kills(), Screen.bytes(limit.bytes())));
    method.add(
        "Blocks read are those that DataNodes have counted, for each block that was lost; 'with n lost' as the daemon counted,");
    method.add(
        "by units that a stripe had lost, which are all rebuilt in one pass. 'single' and 'time' are of the DataNodes that died alone,");
    method.add(
        "'all' of all that died; a time is the sum over them, from the start of the repair round until all stripes are whole.");
    method.add(
        "The floor reads and writes the same, as many stripes at once, before the daemon does; it computes nothing and asks nobody.");
    measured.forEach(each -> method.add(each.words()));
    return method;
  }
}
