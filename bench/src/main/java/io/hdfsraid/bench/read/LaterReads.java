// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Small reads of lost blocks from streams that have found the stripes already. */
final class LaterReads implements Trial {
  private final List<Rival> rivals;
  private final int reads;
  private final Random random;

  /**
   * @param reads of each rival in a round
   */
  LaterReads(List<Rival> rivals, int reads, Random random) {
    this.rivals = List.copyOf(rivals);
    this.reads = reads;
    this.random = random;
  }

  @Override
  public void round(int turn, ReadResults results) throws IOException {
    Times times = new Times();
    try (OpenFiles files = new OpenFiles(rivals, OpenFile::degraded, random)) {
      for (int read = 0; read < reads; read++) {
        for (Rival rival : Rival.turn(rivals, turn + read)) {
          times.time(rival, files.of(rival)::readAnyLost);
        }
      }
    }
    times.forEach(
        (rival, millis) -> {
          results.add(rival, Measure.P50, millis.median());
          results.add(rival, Measure.P99, millis.quantile(0.99));
        });
  }
}
