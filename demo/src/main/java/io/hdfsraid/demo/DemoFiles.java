// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.raidshell.command.Progress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FileSystem;

/** The files that the demo loads, and the block size that it loads them with. */
record DemoFiles(List<DemoFile> files, long blockSize) {
  private static final int MIB = 1 << 20;

  /** The largest stripe, in data units, that the samples fill: a larger one would take too long. */
  private static final int MOST_BLOCKS = 16;

  /** A larger number of blocks takes longer than anybody watches. */
  private static final long MANY_BLOCKS = 2_000;

  /** Too small to be raided alone, and enough for some shared stripes. */
  private static final int SMALL_FILES = 40;

  private static final Duration CHANGED_BEFORE_USED = Duration.ofDays(30);

  /**
   * A file to load.
   *
   * @param path on HDFS
   * @param lastUsed the access time that it is given
   */
  record DemoFile(String path, long length, Instant lastUsed, Content content) {
    /** The source of the bytes. */
    interface Content {
      InputStream open() throws IOException;
    }
  }

  long bytes() {
    return files.stream().mapToLong(DemoFile::length).sum();
  }

  /** Sample files of one to three stripes, and some that no policy takes. */
  static DemoFiles samples(int dataUnits, Instant now) {
    List<DemoFile> files = new ArrayList<>();
    int stripe = Math.min(dataUnits, MOST_BLOCKS) * MIB;
    add(files, "/warehouse/clicks/month=01/part-0.parquet", 2 * stripe, now, 365);
    add(files, "/warehouse/clicks/month=02/part-0.parquet", stripe + stripe / 2 + 1, now, 330);
    add(files, "/warehouse/clicks/month=03/part-0.parquet", stripe, now, 290);
    add(files, "/warehouse/orders/2024.orc", 3 * stripe - 123_457, now, 240);
    add(files, "/warehouse/orders/2025.orc", stripe + 3 * MIB + 777, now, 120);
    add(files, "/warehouse/orders/this-week.orc", stripe, now, 2);
    add(files, "/warehouse/orders/one-block.orc", MIB, now, 200);
    add(files, "/warehouse/orders/one-byte", 1, now, 200);
    add(files, "/warehouse/orders/_SUCCESS", 0, now, 240);
    for (int i = 0; i < SMALL_FILES; i++) {
      add(files, "/warehouse/events/part-%02d.json".formatted(i), 20_011 + 9_771 * i, now, 150);
    }
    add(files, "/warehouse/staging/import.csv", 2 * MIB, now, 300);
    add(files, "/archive/logs-2023.tar", stripe + MIB / 2, now, 364);
    add(files, "/home/ada/thesis.pdf", MIB + 99, now, 310);
    add(files, "/tmp/scratch.bin", MIB, now, 100);
    return new DemoFiles(files, MIB);
  }

  private static void add(List<DemoFile> files, String path, int length, Instant now, int days) {
    int seed = files.size();
    DemoFile.Content content =
        () -> {
          byte[] bytes = new byte[length];
          new Random(seed).nextBytes(bytes);
          return new ByteArrayInputStream(bytes);
        };
    files.add(new DemoFile(path, length, now.minus(Duration.ofDays(days)), content));
  }

  /** The files of a local directory, as {@code /data/…}; their last uses are spread over a year. */
  static DemoFiles of(Path directory, Instant now) throws IOException {
    List<Path> found;
    try (Stream<Path> walk = Files.walk(directory)) {
      found = walk.filter(Files::isRegularFile).sorted().toList();
    }
    List<DemoFile> files = new ArrayList<>();
    for (Path file : found) {
      long hours = 365L * 24 * (found.size() - files.size()) / found.size();
      files.add(
          new DemoFile(
              "/data/" + directory.relativize(file).toString().replace('\\', '/'),
              Files.size(file),
              now.minus(Duration.ofHours(hours)),
              () -> Files.newInputStream(file)));
    }
    long blockSize = MIB;
    while (new DemoFiles(files, blockSize).bytes() / blockSize > MANY_BLOCKS) {
      blockSize *= 2;
    }
    return new DemoFiles(files, blockSize);
  }

  /**
   * Writes all files as any client of HDFS does.
   *
   * @return the CRC32C of each source, by path
   */
  Map<String, Long> load(FileSystem fs, Console console) throws IOException {
    Map<String, Long> checksums = new LinkedHashMap<>();
    try (Progress progress = console.bytes("Loaded", bytes())) {
      for (DemoFile file : files) {
        var path = new org.apache.hadoop.fs.Path(file.path());
        try (InputStream in = file.content().open();
            OutputStream out = fs.create(path)) {
          checksums.put(file.path(), copy(in, out, progress));
        }
        Instant used = file.lastUsed();
        fs.setTimes(path, used.minus(CHANGED_BEFORE_USED).toEpochMilli(), used.toEpochMilli());
      }
    }
    return checksums;
  }

  /**
   * Reads files and compares their bytes with those that were loaded.
   *
   * @return one line for each file that has other bytes or cannot be read
   */
  static List<String> wrong(FileSystem fs, Map<String, Long> checksums, Progress progress) {
    List<String> wrong = new ArrayList<>();
    checksums.forEach(
        (path, checksum) -> {
          try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
            if (copy(in, OutputStream.nullOutputStream(), progress) != checksum) {
              wrong.add(path + " has other bytes");
            }
          } catch (IOException e) {
            wrong.add(path + " cannot be read: " + e.getMessage());
          }
        });
    return wrong;
  }

  private static long copy(InputStream in, OutputStream out, Progress progress) throws IOException {
    CRC32C checksum = new CRC32C();
    byte[] buffer = new byte[MIB];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      checksum.update(buffer, 0, n);
      out.write(buffer, 0, n);
      progress.step(n);
    }
    return checksum.getValue();
  }
}
