// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.embedded.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/** Counts what degraded reads of a few bytes ask of DataNodes and of the NameNode. */
final class ReadCosts implements Trial {
  /** DataNodes count 4 bytes of checksum with each 512 that they read. */
  private static final double WITH_CHECKSUMS = 516.0 / 512;

  private static final double OPEN = 1;

  /** Over so many reads the bytes are averaged; they are the same each time. */
  private static final int READS = 20;

  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final BenchCluster cluster;
  private final List<Rival> raided;
  private final List<Rival> all;
  private final Random random;

  /**
   * @param raided whose calls of the NameNode are counted
   * @param all whose bytes are counted
   */
  ReadCosts(BenchCluster cluster, List<Rival> raided, List<Rival> all, Random random) {
    this.cluster = cluster;
    this.raided = List.copyOf(raided);
    this.all = List.copyOf(all);
    this.random = random;
  }

  @Override
  public void round(int turn, ReadResults results) throws IOException {
    for (Rival rival : all) {
      results.add(rival, Measure.FETCHED, fetched(rival));
    }
    for (Rival rival : raided) {
      countCalls(rival, results);
    }
  }

  private double fetched(Rival rival) throws IOException {
    try (OpenFile file = OpenFile.degraded(rival, random)) {
      long before = cluster.bytesRead();
      for (int read = 0; read < READS; read++) {
        file.readAnyLost();
      }
      return (cluster.bytesRead() - before) / WITH_CHECKSUMS / READS;
    }
  }

  /** The client has read another file that has lost blocks: it knows how to reach DataNodes. */
  private void countCalls(Rival rival, ReadResults results) throws IOException {
    try (FileSystem fs = rival.warm(random)) {
      readLost(fs, rival.lost().get(1));
      long start = calls();
      readLost(fs, rival.lost().get(0));
      long first = calls();
      readLost(fs, rival.lost().get(0));
      long next = calls();
      results.add(rival, Measure.FIRST_CALLS, (double) (first - start) - OPEN);
      results.add(rival, Measure.NEXT_CALLS, (double) (next - first) - OPEN);
    }
  }

  /** Always from the same block. */
  private void readLost(FileSystem fs, ReadFile file) throws IOException {
    try (FSDataInputStream in = fs.open(file.path())) {
      in.readFully(file.lostIn(random, 0, OpenFile.BYTES), new byte[OpenFile.BYTES]);
    }
  }

  /** The NameNode counts a call a moment after it has answered it. */
  private long calls() throws IOException {
    long before;
    long now = sum();
    do {
      before = now;
      Pause.of(LOOK_AGAIN);
      now = sum();
    } while (now != before);
    return now;
  }

  private long sum() {
    return cluster.hdfs().nameNodeCalls().values().stream().mapToLong(Long::longValue).sum();
  }
}
