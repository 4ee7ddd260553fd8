// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * The time from the open of a file until the first bytes of a lost block are there, for a client
 * that has read nothing lost yet.
 */
final class FirstReads implements Trial {
  private final List<Rival> rivals;
  private final int bytes;
  private final Measure measure;
  private final int samples;
  private final Random random;

  /**
   * @param bytes of the first read
   * @param samples of each rival in a round, of which the median counts
   */
  FirstReads(List<Rival> rivals, int bytes, Measure measure, int samples, Random random) {
    this.rivals = List.copyOf(rivals);
    this.bytes = bytes;
    this.measure = measure;
    this.samples = samples;
    this.random = random;
  }

  @Override
  public void round(int turn, ReadResults results) throws IOException {
    Times times = new Times();
    for (int sample = 0; sample < samples; sample++) {
      for (Rival rival : Rival.turn(rivals, turn + sample)) {
        ReadFile file = rival.lost().get(0);
        long position = file.anyLost(random, bytes);
        try (FileSystem fs = rival.warm(random)) {
          times.time(rival, () -> read(fs, file, position));
        }
      }
    }
    times.forEach((rival, millis) -> results.add(rival, measure, millis.median()));
  }

  private void read(FileSystem fs, ReadFile file, long position) throws IOException {
    try (FSDataInputStream in = fs.open(file.path())) {
      in.seek(position);
      in.readFully(new byte[bytes]);
    }
  }
}
