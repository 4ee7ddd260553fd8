// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Batches of small reads, which take turns batch by batch. */
final class HealthyReads implements Trial {
  static final int READS = 10;

  private final List<Rival> rivals;
  private final int batches;
  private final Random random;

  /**
   * @param batches of each rival in a round
   */
  HealthyReads(List<Rival> rivals, int batches, Random random) {
    this.rivals = List.copyOf(rivals);
    this.batches = batches;
    this.random = random;
  }

  @Override
  public void round(int turn, ReadResults results) throws IOException {
    Times times = new Times();
    try (OpenFiles files = new OpenFiles(rivals, OpenFile::healthy, random)) {
      for (Rival rival : rivals) {
        batch(files.of(rival));
      }
      for (int batch = 0; batch < batches; batch++) {
        for (Rival rival : Rival.turn(rivals, turn + batch)) {
          OpenFile file = files.of(rival);
          times.time(rival, () -> batch(file));
        }
      }
    }
    times.forEach((rival, millis) -> results.add(rival, Measure.BATCH, millis.median()));
  }

  private static void batch(OpenFile file) throws IOException {
    for (int read = 0; read < READS; read++) {
      file.readAnywhere();
    }
  }
}
