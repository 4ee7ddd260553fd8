// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import io.hdfsraid.bench.cluster.Workbench;
import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidshell.command.Progress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench index}. */
@Command(
    name = "index",
    description = {
      "Measures how fast the index of a whole namespace is built and updated, and how large it is,"
          + " for a synthetic warehouse of N files, beside SQLite and a full listing of a"
          + " NameNode.",
      "Each runs in a process of its own; the index has a heap of 1 GiB. Takes a minute for each"
          + " million files. All files are in one temporary directory, which is removed at the end."
    },
    sortOptions = false)
public final class IndexBenchCommand implements Callable<Integer> {
  private static final long LEAST_FILES = 20_000;
  private static final long MOST_FILES = 200_000_000;

  /** Beyond that SQLite takes an hour, and nothing new is learnt. */
  private static final long MOST_IN_SQL = 10_000_000;

  private static final long BYTES_ON_DISK = 500;
  private static final long BYTES_IN_SQL = 700;
  private static final long SEED = 1;

  @Option(
      names = "--files",
      paramLabel = "N",
      split = ",",
      defaultValue = "1e6",
      description = "How many files, e.g. 1e6,1e7,3e7,1e8; one after the other. Default: 1e6")
  private List<String> sizes;

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "How many events are measured. Default: 1000000, with --quick 20000")
  private Integer events;

  @Option(
      names = "--listed",
      paramLabel = "N",
      description =
          "How many files the NameNode has that is listed; to make them takes longer than to list"
              + " them. 0: none. Default: 100000, with --quick 2000")
  private Long listed;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() {
    options.check();
    List<Long> files = sizes.stream().map(this::parsed).sorted().distinct().toList();
    long most = files.get(files.size() - 1);
    Workbench.requireSpace(
        Math.max(most * BYTES_ON_DISK, Math.min(most, MOST_IN_SQL) * BYTES_IN_SQL), options);
    int thousands = options.or(events, 1_000_000, 20_000) / 1000;
    if (thousands < 10) {
      throw options.wrong("--events is 10000 or more, but got " + events);
    }
    long toList = options.or(listed, 100_000L, 2000L);
    return options.run(
        "index", () -> Workbench.measure(bench -> measured(bench, files, thousands, toList)));
  }

  private long parsed(String size) {
    try {
      double number = Double.parseDouble(size);
      if (number >= LEAST_FILES && number <= MOST_FILES) {
        return Math.round(number);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw options.wrong(
        "--files is a number from %d to %d, such as 1e7, but got %s"
            .formatted(LEAST_FILES, MOST_FILES, size));
  }

  private BenchOptions.Measured measured(
      Workbench workbench, List<Long> sizesInOrder, int thousands, long toList) throws IOException {
    List<Row> rows = new ArrayList<>();
    List<Row> rivals = new ArrayList<>();
    List<IndexComparison> races = new ArrayList<>();
    for (long files : sizesInOrder) {
      Trial index = trial(workbench, "index", files, thousands, Trial::ofIndex);
      Optional<Trial> sql =
          files <= MOST_IN_SQL
              ? Optional.of(trial(workbench, "sqlite", files, thousands, Trial::ofSql))
              : Optional.empty();
      IndexComparison race = new IndexComparison(index, sql, " " + words(files));
      races.add(race);
      rows.addAll(race.rows(race.size()));
      rivals.addAll(race.rowsOfSql());
    }
    IndexComparison largest = races.get(races.size() - 1);
    rows.addAll(0, largest.rows(""));
    if (races.size() > 1) {
      rows.add(largest.flatness(races.get(0)));
    }
    rows.addAll(rivals);
    if (toList > 0) {
      Samples listed = listing(workbench, toList);
      rows.add(largest.besideListing(listed));
      rows.add(Row.alone("listing", IndexComparison.FILES_PER_SECOND, listed));
    }
    return new BenchOptions.Measured(method(sizesInOrder, thousands, toList), rows);
  }

  /** What is measured in another process. */
  @FunctionalInterface
  private interface Measuring {
    Trial of(Trial.Setting setting, LongConsumer progress) throws IOException;
  }

  private Trial trial(
      Workbench workbench, String what, long files, int thousands, Measuring measuring)
      throws IOException {
    String folder = what + "-" + files;
    try (Progress progress = options.progress("%s %s".formatted(what, words(files)), 0)) {
      return measuring.of(
          new Trial.Setting(workbench.directory(folder), files, SEED, thousands), progress::stepTo);
    } finally {
      workbench.remove(folder);
    }
  }

  /** Files in a second. */
  private Samples listing(Workbench workbench, long files) throws IOException {
    EmbeddedHdfs hdfs =
        EmbeddedHdfs.builder()
            .dataNodes(1)
            .directory(workbench.directory("hdfs"))
            .set("fs.automatic.close", "false")
            .start();
    try {
      FullListing listing = new FullListing(hdfs.fileSystem());
      try (Progress progress = options.progress("files made to be listed", files)) {
        listing.make(files, progress::stepTo);
      }
      double[] rates = new double[options.rounds(3)];
      for (int round = 0; round < rates.length; round++) {
        long start = System.nanoTime();
        long found = listing.count();
        rates[round] = found / ((System.nanoTime() - start) / 1e9);
      }
      return Samples.of(rates);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted");
    } finally {
      hdfs.close();
      workbench.remove("hdfs");
    }
  }

  /** As it is asked for: 1e7, 3e7; 1500000. */
  private static String words(long files) {
    int zeros = 0;
    long digits = files;
    while (digits >= 10 && digits % 10 == 0) {
      digits /= 10;
      zeros++;
    }
    return digits < 10 ? "%de%d".formatted(digits, zeros) : Long.toString(files);
  }

  private static List<String> method(List<Long> sizesInOrder, int thousands, long toList) {
    long largest = sizesInOrder.get(sizesInOrder.size() - 1);
    return List.of(
        "Rows without a number are of the largest index. The namespace: %s."
            .formatted(Trial.namespace(largest)),
        "Its image is a file as a NameNode writes it, in the order of its hash buckets; 'bootstrap' reads it. Seed %d. Each index in a Java process with -Xmx%dm; 'heap' is"
            .formatted(SEED, Trial.HEAP_MEBIBYTES),
        "the most that was in use after a collection of garbage, until all was measured. Bytes are"
            + " of all tables, compacted.",
        String.format(
            Locale.ROOT,
            "Events: %,d, after 100,000 to warm up, 1,000 at a time as a NameNode tells them; 70 %%"
                + " access times, 10 %% files begun, 10 %% closed,",
            thousands * 1000L),
        "5 % renamed, 5 % deleted. Directories are read by Zipf's law with exponent 1, the newest"
            + " first; rates are of 10,000 each.",
        "A restart is until 10,000 files are picked, in a process that had the index open before,"
            + " so that the operating system has it in memory.",
        "SQLite: one table, indexes on path and access time made after the rows; its events are access times by path. %s."
            .formatted(Trial.tuningOfSql()),
        "Goals are of values. A ratio is to the median of the peer, which ran at another time."
            + " Where SQLite was not measured there is none.",
        "The listing is of %,d files of an HDFS in this process, a directory at a time, by one client."
            .formatted(toList));
  }
}
