// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.raidshell.command.Screen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench trace}. */
@Command(
    name = "trace",
    description = {
      "Counts the reads that meet a raided file when the coldest files are raided for lack of"
          + " space, on a synthetic trace of reads. It compares orders by last use, by number of"
          + " uses and by both with an order that knows all future reads (Belady's).",
      "Runs once without and once with a nightly job that reads most files. Takes minutes, one"
          + " core, and 12 bytes of heap for each use of a file."
    },
    sortOptions = false)
public final class TraceBenchCommand implements Callable<Integer> {
  private static final Row.Unit PERCENT = new Row.Unit("%", 1);

  /** Half-lives, in days. */
  private static final double SHORTEST = 0.05;

  private static final double LONGEST = 3650;

  private static final int BYTES_OF_A_USE = 12;
  private static final int BYTES_OF_A_FILE = 300;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "How many there are at first. Default: 100000, with --quick 5000")
  private Integer files;

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "For how many reads are counted. Default: 30, with --quick 5")
  private Integer days;

  @Option(
      names = "--watched",
      paramLabel = "N",
      description =
          "For how many before them the uses are only taken down, and nothing is raided. Default:"
              + " 14, with --quick 2")
  private Integer watched;

  @Option(
      names = "--reads-per-day",
      paramLabel = "N",
      description = "By users. Default: 200000, with --quick 20000")
  private Integer readsPerDay;

  @Option(
      names = "--skew",
      paramLabel = "S",
      defaultValue = "0.9",
      description = "The exponent of Zipf's law. Default: 0.9")
  private double skew;

  @Option(
      names = "--repeats",
      paramLabel = "PERCENT",
      defaultValue = "30",
      description =
          "How many of the reads are of files that were read within some hours before. Default: 30")
  private int repeats;

  @Option(
      names = "--scanned",
      paramLabel = "PERCENT",
      defaultValue = "80",
      description = "How much of all files the nightly job reads. Default: 80")
  private int scanned;

  @Option(
      names = "--hot",
      paramLabel = "PERCENT",
      split = ",",
      defaultValue = "5,10,20,40",
      description =
          "How much of all bytes fits into files with all their replicas. Default: 5,10,20,40")
  private List<Integer> hot;

  @Option(
      names = "--half-life",
      paramLabel = "DAYS",
      split = ",",
      defaultValue = "1,7,30",
      description =
          "After how many days a use counts half, where both recency and frequency count. Default:"
              + " 1,7,30")
  private List<Double> halfLives;

  @Option(
      names = "--precision",
      paramLabel = "HOURS",
      defaultValue = "0",
      description =
          "All but random and Belady's know of uses by access times of this precision. Default: 0,"
              + " they know of all, as from an audit log")
  private int precision;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The same seed makes the same trace. Default: 1")
  private long seed;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() {
    options.check();
    if (hot.stream().anyMatch(percent -> percent < 1 || percent > 100)) {
      throw options.wrong("--hot is 1 to 100 per cent, but got " + hot);
    }
    if (halfLives.stream().anyMatch(days -> !(days >= SHORTEST && days <= LONGEST))) {
      throw options.wrong(
          "--half-life is %s to %.0f days, but got %s".formatted(SHORTEST, LONGEST, halfLives));
    }
    if (precision < 0) {
      throw options.wrong("--precision is 0 hours or more, but got " + precision);
    }
    Workload workload = workload();
    return options.run("trace", () -> measured(workload));
  }

  private Workload workload() {
    Workload workload;
    try {
      workload =
          new Workload(
              options.or(files, 100_000, 5000),
              options.or(watched, 14, 2),
              options.or(days, 30, 5),
              options.or(readsPerDay, 200_000, 20_000),
              skew,
              repeats,
              scanned,
              seed);
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
    long needed =
        BYTES_OF_A_USE * workload.uses()
            + BYTES_OF_A_FILE * (long) workload.files() * (1 + hot.size());
    if (needed > Runtime.getRuntime().maxMemory()) {
      throw options.wrong(
          "This needs about %s of heap, but there are %s: ask for fewer reads, days or files, or set RAIDSHELL_OPTS=-Xmx%dm"
              .formatted(
                  Screen.bytes(needed),
                  Screen.bytes(Runtime.getRuntime().maxMemory()),
                  (needed >> 20) * 5 / 4));
    }
    return workload;
  }

  private BenchOptions.Measured measured(Workload workload) {
    List<Row> rows = new ArrayList<>();
    Workload quiet = workload.quiet();
    rows.addAll(rows(quiet, ""));
    if (workload.scanned() > 0) {
      rows.addAll(rows(workload, "nightly "));
    }
    return new BenchOptions.Measured(method(workload), rows);
  }

  private List<Row> rows(Workload workload, String prefix) {
    try (Progress progress =
        options.progress(
            prefix + "uses played",
            (workload.scanned() == 0 ? 2L : 1L)
                * RankingComparison.candidates(workload, lives())
                * workload.uses())) {
      Trace trace = Trace.of(workload);
      List<Row> rows = new ArrayList<>();
      RankingComparison contest =
          new RankingComparison(trace, hot, lives(), Duration.ofHours(precision));
      Standings results = new Standings(contest.run(progress::step), prefix);
      rows.addAll(results.rows("miss ratio", of -> of.byAll().missRatio()));
      if (workload.scanned() > 0) {
        rows.addAll(results.rows("users' miss ratio", of -> of.byUsers().missRatio()));
      }
      rows.addAll(results.rows("bytes missed", of -> of.byAll().byteMissRatio()));
      rows.addAll(leasts(prefix + "miss ratio", contest.leastMissRatios()));
      rows.addAll(leasts(prefix + "bytes missed", contest.leastByteMissRatios()));
      if (workload.scanned() == 0) {
        rows.addAll(rowsOfEqualSizes(trace, progress));
      }
      return rows;
    }
  }

  private List<Row> rowsOfEqualSizes(Trace trace, Progress progress) {
    RankingComparison contest =
        new RankingComparison(trace.withEqualSizes(), hot, lives(), Duration.ofHours(precision));
    return new Standings(contest.run(progress::step), "equal sizes ")
        .rows("miss ratio", of -> of.byAll().missRatio());
  }

  private List<Duration> lives() {
    return halfLives.stream()
        .map(days -> Duration.ofHours(Math.round(24 * days)))
        .sorted()
        .distinct()
        .toList();
  }

  private List<Row> leasts(String what, List<Double> ratios) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ratios.size(); i++) {
      rows.add(
          Row.alone(
              "%s at least @%d%%".formatted(what, hot.get(i)), PERCENT, Samples.of(ratios.get(i))));
    }
    return rows;
  }

  /** Of one trace, each beside the one who knows the future. */
  private static final class Standings {
    private final List<RankingResult> all;
    private final String prefix;

    private Standings(List<RankingResult> all, String prefix) {
      this.all = all;
      this.prefix = prefix;
    }

    private List<Row> rows(String what, ToDoubleFunction<RankingResult> ratio) {
      Map<Integer, Double> belady = of(RankingComparison.BELADY, ratio);
      Map<Integer, Double> random = of(RankingComparison.RANDOM, ratio);
      List<Row> rows = new ArrayList<>();
      for (int percent : belady.keySet()) {
        for (RankingResult each : all) {
          if (each.percent() == percent && !each.candidate().equals(RankingComparison.BELADY)) {
            Row row = row(what, each, ratio.applyAsDouble(each), belady.get(percent));
            rows.add(
                hasGoal(each) && row.ratio() != null
                    ? row.withGoalAtMost(random.get(percent) / belady.get(percent))
                    : row);
          }
        }
      }
      return rows;
    }

    /** Returns whether the row has a goal: the order of the product must beat a random order. */
    private static boolean hasGoal(RankingResult result) {
      return result.candidate().startsWith(RankingComparison.RECENCY);
    }

    private Map<Integer, Double> of(String candidate, ToDoubleFunction<RankingResult> ratio) {
      Map<Integer, Double> ratios = new LinkedHashMap<>();
      all.stream()
          .filter(each -> each.candidate().equals(candidate))
          .forEach(each -> ratios.put(each.percent(), ratio.applyAsDouble(each)));
      return ratios;
    }

    private Row row(String what, RankingResult result, double ratio, double best) {
      String pattern = prefix + what + " %s @" + result.percent() + "%%";
      String name = pattern.formatted(result.candidate());
      return best > 0
          ? Row.beside(
              name,
              PERCENT,
              Samples.of(ratio),
              pattern.formatted(RankingComparison.BELADY),
              Samples.of(best))
          : Row.alone(name, PERCENT, Samples.of(ratio));
    }
  }

  private List<String> method(Workload workload) {
    return Stream.concat(
            workload.words().stream(),
            Stream.of(
                "For %d days uses are only taken down and nothing is raided; then the coldest are, until @%% of all bytes are in files with three replicas,"
                    .formatted(workload.watched()),
                "and for %d days reads are counted. One of a raided file is a miss; it has its replicas back at once, and what is coldest then is raided."
                    .formatted(workload.days()),
                "'recency' goes by last use, 'frequency' by the number of uses, 'mix' by a number"
                    + " in which a use counts half after so many days (LRFU),",
                "'random' by nothing. 'without job': it is not told of the job's reads, and they"
                    + " give no replicas back. 'users'' counts the reads of users alone.",
                "Belady's goes by next use. That is the optimum where all files are of one size"
                    + " ('equal sizes') and all reads count. Elsewhere it is none: who misses"
                    + " reads",
                "of large files only can miss fewer. 'at least' is what no order can get below (PFOO-L). The goal of recency, the product's order: no worse than random. %s"
                    .formatted(
                        precision == 0
                            ? "All uses are known, as from an audit log."
                            : "Uses are known by access times of a precision of %d h."
                                .formatted(precision))))
        .toList();
  }
}
