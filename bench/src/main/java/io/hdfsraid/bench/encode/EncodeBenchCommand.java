// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.encode;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.cluster.BenchSettings;
import io.hdfsraid.bench.cluster.Workbench;
import io.hdfsraid.bench.codec.Cell;
import io.hdfsraid.bench.codec.LegacyCodec;
import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.raid.RaidRun;
import io.hdfsraid.bench.raid.TimeSplit;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidshell.command.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench encode}. */
@Command(
    name = "encode",
    description = {
      "Raids the same files in containers with the coder of Facebook's HDFS-RAID, with a Cauchy code"
          + " and with our default: first in containers anywhere, then with stripes that are formed"
          + " and encoded near the data. All machines are this one; the links of containers and"
          + " racks are simulated.",
      "Takes some minutes. Set TMPDIR to a directory in memory to measure software and not disks."
    },
    sortOptions = false)
public final class EncodeBenchCommand implements Callable<Integer> {
  private static final int COPIES_ON_DISK = 5;
  private static final int USUAL_ROUNDS = 3;
  private static final double MB = 1e6;
  private static final Row.Unit MEGABYTES = new Row.Unit("MB/s", MB);

  /** The speed of the Cauchy code anywhere in Intel's slides, beside that of their first bar. */
  private static final double CAUCHY = 1.22;

  /** The same near the data. */
  private static final double CAUCHY_NEAR = 2.4;

  private static final long SEED = 15;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "How many files, all raided at once. Default: 12")
  private Integer files;

  @Option(names = "--stripes", paramLabel = "N", description = "Stripes of each file. Default: 4")
  private Integer stripes;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      defaultValue = "2MiB",
      description = "Of the files, a number of MiB. Default: 2MiB")
  private String blockSize;

  @Option(
      names = "--link-mb",
      paramLabel = "MB",
      defaultValue = "40",
      description = "What the link of each machine carries in a second. Default: 40")
  private double linkMegabytes;

  @Option(
      names = "--rack-link-mb",
      paramLabel = "MB",
      defaultValue = "15",
      description = "What the link of each rack carries in a second. Default: 15")
  private double rackLinkMegabytes;

  @Option(
      names = "--datanodes",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many DataNodes, each with one container; at least 14. Default: 20")
  private int dataNodes;

  @Option(
      names = "--racks",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many racks they are on. Default: 5")
  private int racks;

  @Mixin private BenchOptions options;

  /**
   * A codec and a place, which are compared with others.
   *
   * @param near whether stripes are formed and encoded near the data
   * @param goal how many times as fast as the first one; 0 for no goal
   */
  private record Bar(String name, ErasureCodec codec, boolean near, double goal) {

    static List<Bar> all() {
      ErasureCodec rs = Codecs.parse("rs-10-4");
      ErasureCodec cauchy = Codecs.parse("crs-good-10-4");
      return List.of(
          new Bar("rs-legacy anywhere", new LegacyCodec(rs), false, 0),
          new Bar("crs-good-10-4 anywhere", cauchy, false, CAUCHY),
          new Bar("crs-good-10-4 near", cauchy, true, CAUCHY_NEAR),
          new Bar("rs-10-4 anywhere", rs, false, 0),
          new Bar("rs-10-4 near", rs, true, 0));
    }
  }

  /**
   * One raiding of all files.
   *
   * @param bytesPerSecond of the sources
   * @param shares of the bytes read, by distance
   */
  private record Run(double bytesPerSecond, Map<Distance, Double> shares) {}

  @Override
  public Integer call() {
    options.check();
    if (!(linkMegabytes > 0) || !(rackLinkMegabytes > 0)) {
      throw options.wrong(
          "--link-mb and --rack-link-mb are more than 0, but got %s and %s"
              .formatted(linkMegabytes, rackLinkMegabytes));
    }
    BenchSettings settings = settings();
    Workbench.requireSpace(settings.sourceBytes() * COPIES_ON_DISK, options);
    int rounds = options.rounds(options.quick() ? 1 : USUAL_ROUNDS);
    return options.run("encode", () -> measured(settings, rounds));
  }

  private BenchSettings settings() {
    int each = options.or(stripes, 4, 2);
    if (each < 1 || each > 100) {
      throw options.wrong("--stripes is 1 to 100, but got " + each);
    }
    try {
      ErasureCodec rs = Codecs.parse("rs-10-4");
      int many = options.or(files, 12, 2);
      return new BenchSettings(
          List.of(rs),
          many,
          each * rs.shape().dataUnits(),
          Cell.parse(blockSize).bytes(),
          dataNodes,
          racks,
          Math.min(many, 64));
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  private BenchOptions.Measured measured(BenchSettings settings, int rounds) {
    List<Bar> bars = Bar.all();
    int warmUps = options.quick() ? 0 : 1;
    Map<Bar, List<Run>> runs = new LinkedHashMap<>();
    try (Progress progress =
        options.progress("Measured steps", (long) (warmUps + rounds) * bars.size())) {
      return Workbench.measure(
          workbench ->
              workbench.onHdfs(
                  settings,
                  cluster -> {
                    for (int round = 0; round < warmUps + rounds; round++) {
                      for (Bar bar : bars) {
                        Run run = run(cluster, bar);
                        if (round >= warmUps) {
                          runs.computeIfAbsent(bar, none -> new ArrayList<>()).add(run);
                        }
                        progress.step(1);
                      }
                    }
                    return new BenchOptions.Measured(method(settings, rounds), rows(runs));
                  }));
    }
  }

  private Run run(BenchCluster cluster, Bar bar) throws IOException {
    cluster.load();
    AtomicReference<Containers> containers = new AtomicReference<>();
    ExecutorService threads =
        Executors.newFixedThreadPool(cluster.settings().workers() * bar.codec().shape().units());
    try (RaidRun raid =
        new RaidRun(
            cluster,
            bar.codec(),
            Clock.systemUTC(),
            access -> {
              containers.set(containers(access));
              return local ->
                  new PlacedEngine(access.dataNodes(), threads, containers.get(), bar.near());
            },
            (purpose, direction, distance, bytes) -> {})) {
      long start = System.nanoTime();
      TimeSplit unused = raid.reduce();
      double seconds = (System.nanoTime() - start) / 1e9;
      Run run = new Run(cluster.settings().sourceBytes() / seconds, containers.get().shares());
      cluster.removeSources();
      raid.removeParity();
      return run;
    } finally {
      threads.shutdownNow();
    }
  }

  private Containers containers(ClusterAccess access) {
    try {
      return new Containers(
          access.namespace().nodes().stream().map(NodeState::node).toList(),
          Math.round(linkMegabytes * MB),
          Math.round(rackLinkMegabytes * MB),
          SEED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> method(BenchSettings settings, int rounds) {
    return List.of(
        "%d rounds, in which all take turns. Values are medians of source bytes, until the last file is reduced."
            .formatted(rounds),
        "%s, one container on each.".formatted(settings),
        "A container reads what is on its machine for nothing; the rest passes its link of %.0f MB/s, and what is in another rack"
            .formatted(linkMegabytes),
        "the link of its rack of %.0f MB/s, too. Parity passes the link of the machine."
            .formatted(rackLinkMegabytes),
        "The goals are what Intel's slides on HDFS-RAID say of a Cauchy code without placement and with"
            + " it, on 12 machines.");
  }

  private static List<Row> rows(Map<Bar, List<Run>> runs) {
    Map.Entry<Bar, List<Run>> first = runs.entrySet().iterator().next();
    List<Row> rows = new ArrayList<>();
    runs.forEach(
        (bar, each) -> {
          Row row =
              bar.equals(first.getKey())
                  ? Row.alone(bar.name(), MEGABYTES, speeds(each))
                  : Row.beside(
                      bar.name(),
                      MEGABYTES,
                      speeds(each),
                      first.getKey().name(),
                      speeds(first.getValue()));
          rows.add((bar.goal() > 0 ? row.withGoal(bar.goal()) : row).withNote(distances(each)));
        });
    return rows;
  }

  private static Samples speeds(List<Run> runs) {
    return Samples.of(runs.stream().mapToDouble(Run::bytesPerSecond).toArray());
  }

  private static String distances(List<Run> runs) {
    return "read on the same machine %.0f %%, in the same rack %.0f %%, across racks %.0f %%"
        .formatted(
            percent(runs, Distance.SAME_NODE),
            percent(runs, Distance.SAME_RACK),
            percent(runs, Distance.OFF_RACK));
  }

  private static double percent(List<Run> runs, Distance distance) {
    return 100
        * Samples.of(runs.stream().mapToDouble(run -> run.shares().get(distance)).toArray())
            .median();
  }
}
