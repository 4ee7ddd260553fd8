// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.table.TableFormat;
import io.hdfsraid.embedded.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;

/**
 * Scans of whole tables, each by a client that knows nothing about the file. The client shares no
 * machine with a DataNode, so all bytes that it fetches come from other machines.
 */
final class TableScans implements Trial {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  /** DataNodes count 4 bytes of checksum with each 512 that they read. */
  private static final double WITH_CHECKSUMS = 516.0 / 512;

  static final List<Scan> SCANS =
      List.of(
          new Scan(TableFormat.JSON_LINES, Measure.JSON_RATE, Measure.JSON_FETCHED),
          new Scan(TableFormat.PARQUET_COLUMN, Measure.COLUMN_RATE, Measure.COLUMN_FETCHED));

  private final Map<TableFormat, Long> sums = new HashMap<>();
  private final BenchCluster cluster;
  private final List<Rival> rivals;
  private final Random random;

  /** A scan of a table, and the two measures that it gives. */
  record Scan(TableFormat format, Measure rate, Measure fetched) {}

  /**
   * @param rivals that have tables; take turns
   */
  TableScans(BenchCluster cluster, List<Rival> rivals, Random random) {
    this.cluster = cluster;
    this.rivals = List.copyOf(rivals);
    this.random = random;
  }

  @Override
  public void round(int turn, ReadResults results) throws IOException {
    for (Scan scan : SCANS) {
      for (Rival rival : Rival.turn(rivals, turn)) {
        run(scan, rival, results);
      }
    }
  }

  private void run(Scan scan, Rival rival, ReadResults results) throws IOException {
    ReadFile file = rival.tables().get(scan.format());
    try (FileSystem fs = rival.warm(random)) {
      long before = settledBytes();
      long start = System.nanoTime();
      long sum = scan.format().scan(fs, file.path());
      double seconds = (System.nanoTime() - start) / 1e9;
      double fetched = (settledBytes() - before) / WITH_CHECKSUMS;
      long expected = sums.computeIfAbsent(scan.format(), first -> sum);
      if (sum != expected) {
        throw new IOException(
            "The sum of a column of %s is %d, but that of another file of the same rows is %d"
                .formatted(file.path(), sum, expected));
      }
      results.add(rival, scan.rate(), file.length() / seconds);
      results.add(rival, scan.fetched(), fetched / file.length());
    }
  }

  /** DataNodes count a read a moment after its reader has all bytes. */
  private long settledBytes() throws IOException {
    long before;
    long now = cluster.bytesRead();
    do {
      before = now;
      Pause.of(LOOK_AGAIN);
      now = cluster.bytesRead();
    } while (now != before);
    return now;
  }
}
