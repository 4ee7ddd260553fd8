// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.engine;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.cluster.BenchSettings;
import io.hdfsraid.bench.cluster.Workbench;
import io.hdfsraid.bench.codec.Cell;
import io.hdfsraid.bench.engine.EngineTrial.Raiding;
import io.hdfsraid.bench.engine.EngineTrial.Repair;
import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidshell.command.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench engine}. */
@Command(
    name = "engine",
    description = {
      "Raids and repairs with 1, 2, 4 and 8 containers, each behind a slow link, and by the daemon"
          + " alone: how much faster more containers are, what passes through the daemon, and what"
          + " it costs the NameNode. The tasks run as in a container, but as threads of this"
          + " process; YARN itself is not measured. Takes long: --quick shows that it runs.",
    },
    sortOptions = false)
public final class EngineBenchCommand implements Callable<Integer> {
  private static final int COPIES_ON_DISK = 5;
  private static final int USUAL_ROUNDS = 3;
  private static final double LINEAR = 0.85;
  private static final double DAEMON_BYTES = 0.01;
  private static final double MB = 1e6;

  private static final Row.Unit MEGABYTES = new Row.Unit("MB/s", MB);
  private static final Row.Unit RATIO = new Row.Unit("", 1);
  private static final Row.Unit CALLS = new Row.Unit("calls", 1);

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      defaultValue = "rs-10-4",
      description = "Default: rs-10-4")
  private String codec;

  @Option(
      names = "--containers",
      paramLabel = "N",
      split = ",",
      description = "How many, one after another; begins with 1. Default: 1,2,4,8")
  private List<Integer> containers;

  @Option(names = "--files", paramLabel = "N", description = "How many files. Default: 16")
  private Integer files;

  @Option(
      names = "--stripes",
      paramLabel = "N",
      defaultValue = "2",
      description = "Stripes of each file. Default: 2")
  private int stripes;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      defaultValue = "2MiB",
      description = "Of the files, a number of MiB. Default: 2MiB")
  private String blockSize;

  @Option(
      names = "--link-mb",
      paramLabel = "MB",
      defaultValue = "4",
      description = "What a container reads and writes in a second. Default: 4")
  private double linkMegabytes;

  @Option(
      names = "--datanodes",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many DataNodes; more than the units of a stripe. Default: 20")
  private int dataNodes;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() {
    options.check();
    List<Integer> all = options.or(containers, List.of(1, 2, 4, 8), List.of(1, 2));
    if (all.isEmpty() || all.get(0) != 1 || all.stream().anyMatch(n -> n < 1 || n > 64)) {
      throw options.wrong("--containers begins with 1 and has numbers up to 64, but got " + all);
    }
    if (stripes < 1 || stripes > 100) {
      throw options.wrong("--stripes is 1 to 100, but got " + stripes);
    }
    if (!(linkMegabytes > 0)) {
      throw options.wrong("--link-mb is more than 0, but got " + linkMegabytes);
    }
    BenchSettings settings = settings();
    Workbench.requireSpace(settings.sourceBytes() * COPIES_ON_DISK, options);
    int rounds = options.rounds(options.quick() ? 1 : USUAL_ROUNDS);
    return options.run("engine", () -> measured(settings, all, rounds));
  }

  private BenchSettings settings() {
    try {
      ErasureCodec parsed = Codecs.parse(codec);
      int many = options.or(files, 16, 4);
      return new BenchSettings(
          List.of(parsed),
          many,
          stripes * parsed.shape().dataUnits(),
          Cell.parse(blockSize).bytes(),
          dataNodes,
          Math.max(1, dataNodes / 4),
          Math.min(many, 64));
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  private BenchOptions.Measured measured(BenchSettings settings, List<Integer> all, int rounds) {
    Trials trials = new Trials(settings);
    try (Progress progress =
        options.progress("Measured steps", (long) rounds * (1 + 2L * all.size()))) {
      return Workbench.measure(
          workbench -> {
            for (int round = 0; round < rounds; round++) {
              workbench.onHdfs(
                  settings,
                  cluster -> {
                    run(workbench, cluster, all, trials, progress);
                    return trials;
                  });
            }
            return new BenchOptions.Measured(method(settings, rounds), trials.rows());
          });
    }
  }

  private void run(
      Workbench workbench,
      BenchCluster cluster,
      List<Integer> all,
      Trials trials,
      Progress progress)
      throws IOException {
    long link = Math.round(linkMegabytes * MB);
    EngineTrial trial =
        new EngineTrial(workbench, cluster, cluster.settings().codecs().get(0), link);
    trials.local.add(trial.raidLocally());
    trial.clear();
    progress.step(1);
    for (int many : all) {
      trials.raidings.computeIfAbsent(many, none -> new ArrayList<>()).add(trial.raid(many));
      progress.step(1);
      trials.repairs.computeIfAbsent(many, none -> new ArrayList<>()).add(trial.repair(many));
      progress.step(1);
      trial.clear();
    }
  }

  private List<String> method(BenchSettings settings, int rounds) {
    return List.of(
        "%d rounds: by the daemon alone, then with each number of containers. Values are medians."
            .formatted(rounds),
        "%s, %s; each container reads and writes at most %.1f MB/s."
            .formatted(settings, codec, linkMegabytes),
        "Encoding: source bytes, until the last file is reduced, with the proof by the DataNodes and"
            + " all waits. Repairing: bytes read,",
        "from the first look at the first stripe until the NameNode lists the last block. The peer"
            + " is one container, times their number.",
        "Calls of the NameNode are those of daemon and task together, with one task for all files,"
            + " as a task of 16 GB has many.");
  }

  /** The measurements, by the number of containers. */
  private static final class Trials {
    private final BenchSettings settings;
    private final List<Raiding> local = new ArrayList<>();
    private final Map<Integer, List<Raiding>> raidings = new LinkedHashMap<>();
    private final Map<Integer, List<Repair>> repairs = new LinkedHashMap<>();

    Trials(BenchSettings settings) {
      this.settings = settings;
    }

    List<Row> rows() {
      List<Row> rows = new ArrayList<>();
      ToDoubleFunction<Raiding> encoding = each -> settings.sourceBytes() / each.seconds();
      ToDoubleFunction<Repair> repairing = each -> each.bytesRead() / each.seconds();
      raidings.forEach(
          (many, each) -> rows.add(row("encode", many, each, raidings.get(1), encoding)));
      repairs.forEach(
          (many, each) -> rows.add(row("repair", many, each, repairs.get(1), repairing)));
      ToDoubleFunction<Raiding> daemonBytes =
          each -> (double) each.daemonBytes() / settings.sourceBytes();
      List<Raiding> inContainers = raidings.values().stream().flatMap(List::stream).toList();
      rows.add(
          Row.besideMedian(
                  "daemon bytes per byte",
                  RATIO,
                  samples(inContainers, daemonBytes),
                  "the daemon alone",
                  samples(local, daemonBytes))
              .withGoalOfValueAtMost(DAEMON_BYTES));
      ToDoubleFunction<Raiding> calls = each -> (double) each.calls() / settings.files();
      rows.add(
          Row.beside(
                  "NameNode calls per file",
                  CALLS,
                  samples(raidings.get(1), calls),
                  "the daemon alone",
                  samples(local, calls))
              .withGoalAtMost(1));
      return rows;
    }

    private static <T> Row row(
        String what, int many, List<T> each, List<T> one, ToDoubleFunction<T> speed) {
      String name = "%s %d container%s".formatted(what, many, many == 1 ? "" : "s");
      Samples speeds = samples(each, speed);
      return many == 1
          ? Row.alone(name, MEGABYTES, speeds)
          : Row.beside(
                  name,
                  MEGABYTES,
                  speeds,
                  "%d times one".formatted(many),
                  samples(one, speed).times(many))
              .withGoal(LINEAR);
    }

    private static <T> Samples samples(List<T> each, ToDoubleFunction<T> value) {
      return Samples.of(
          IntStream.range(0, each.size())
              .mapToDouble(i -> value.applyAsDouble(each.get(i)))
              .toArray());
    }
  }
}
