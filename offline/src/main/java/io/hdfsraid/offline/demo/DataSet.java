package io.hdfsraid.offline.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What is loaded, and into blocks of which size. */
record DataSet(List<DemoFile> files, long blockSize) {
  private static final long MIB = 1 << 20;

  /** A stripe of more units than this does not get all its data units filled: it would be slow. */
  private static final int MOST_BLOCKS = 16;

  /** More blocks than this take longer than anybody watches. */
  private static final long MANY_BLOCKS = 2_000;

  /** Too many to be raided one by one, and enough for some stripes that they share. */
  private static final int SMALL_FILES = 40;

  DataSet {
    files = List.copyOf(files);
  }

  long bytes() {
    return files.stream().mapToLong(DemoFile::length).sum();
  }

  /**
   * A bit of everything that HDFS holds.
   *
   * @param dataUnits of a stripe: the files are one to three stripes long
   */
  static DataSet samples(int dataUnits, Instant now) {
    Samples samples = new Samples(now);
    long stripe = Math.min(dataUnits, MOST_BLOCKS) * MIB;
    samples.add("/warehouse/clicks/month=01/part-0.parquet", 2 * stripe, 365);
    samples.add("/warehouse/clicks/month=02/part-0.parquet", stripe + stripe / 2 + 1, 330);
    samples.add("/warehouse/clicks/month=03/part-0.parquet", stripe, 290);
    samples.add("/warehouse/orders/2024.orc", 3 * stripe - 123_457, 240);
    samples.add("/warehouse/orders/2025.orc", stripe + 3 * MIB + 777, 120);
    samples.add("/warehouse/orders/this-week.orc", stripe, 2);
    samples.add("/warehouse/orders/one-block.orc", MIB, 200);
    samples.add("/warehouse/orders/one-byte", 1, 200);
    samples.add("/warehouse/orders/_SUCCESS", 0, 240);
    for (int i = 0; i < SMALL_FILES; i++) {
      samples.add("/warehouse/events/part-%02d.json".formatted(i), 20_011 + 9_771L * i, 150);
    }
    samples.add("/warehouse/staging/import.csv", 2 * MIB, 300);
    samples.add("/archive/logs-2023.tar", stripe + MIB / 2, 364);
    samples.add("/home/ada/thesis.pdf", MIB + 99, 310);
    samples.add("/tmp/scratch.bin", MIB, 100);
    return new DataSet(samples.files, MIB);
  }

  private static final class Samples {
    final List<DemoFile> files = new ArrayList<>();
    final Instant now;

    Samples(Instant now) {
      this.now = now;
    }

    void add(String path, long length, int daysAgo) {
      long seed = files.size();
      files.add(
          new DemoFile(
              path,
              length,
              now.minus(Duration.ofDays(daysAgo)),
              () -> new RandomBytes(seed, length)));
    }
  }

  /** The files of a local directory, as {@code /data/…}, last used one after another in a year. */
  static DataSet of(Path directory, Instant now) throws IOException {
    List<Path> found;
    try (Stream<Path> walk = Files.walk(directory)) {
      found = walk.filter(Files::isRegularFile).sorted().toList();
    }
    List<DemoFile> files = new ArrayList<>();
    long bytes = 0;
    for (Path file : found) {
      long length = Files.size(file);
      Duration unused = Duration.ofDays(365).multipliedBy(found.size() - files.size());
      files.add(
          new DemoFile(
              "/data/" + directory.relativize(file).toString().replace('\\', '/'),
              length,
              now.minus(unused.dividedBy(found.size())),
              () -> Files.newInputStream(file)));
      bytes += length;
    }
    long blockSize = MIB;
    while (bytes / blockSize > MANY_BLOCKS) {
      blockSize *= 2;
    }
    return new DataSet(files, blockSize);
  }
}
