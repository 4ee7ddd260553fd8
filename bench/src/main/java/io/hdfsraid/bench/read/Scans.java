// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.measure.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;

/** Reads of whole files, each by a client that knows nothing about the file. */
final class Scans implements Trial {
  private final List<Scan> scans;
  private final int repeats;
  private final Random random;

  /** A file to read, and the measure that its rate is. */
  record Scan(Rival rival, ReadFile file, Measure measure) {
    double rate(Random random) throws IOException {
      try (FileSystem fs = rival.warm(random)) {
        return new WholeRead(fs, file).rate();
      }
    }
  }

  /**
   * @param scans take turns
   * @param repeats of each in a round, of which the median counts
   */
  Scans(List<Scan> scans, int repeats, Random random) {
    this.scans = List.copyOf(scans);
    this.repeats = repeats;
    this.random = random;
  }

  /** Reads healthy files of several rivals. */
  static Scans healthy(List<Rival> rivals, int repeats, Random random) {
    return new Scans(
        rivals.stream()
            .map(rival -> new Scan(rival, rival.healthy(), Measure.HEALTHY_RATE))
            .toList(),
        repeats,
        random);
  }

  /**
   * Reads a healthy file and one that has lost blocks.
   *
   * @param whole the measure of the healthy one
   */
  static Scans degraded(Rival rival, Measure whole, Measure degraded, Random random) {
    return new Scans(
        List.of(
            new Scan(rival, rival.healthy(), whole),
            new Scan(rival, rival.lost().get(0), degraded)),
        1,
        random);
  }

  @Override
  public void round(int turn, ReadResults results) throws IOException {
    List<List<Double>> rates = new ArrayList<>();
    scans.forEach(scan -> rates.add(new ArrayList<>()));
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < scans.size(); i++) {
      order.add(i);
    }
    Collections.rotate(order, turn);
    for (int repeat = 0; repeat < repeats; repeat++) {
      for (int i : order) {
        rates.get(i).add(scans.get(i).rate(random));
      }
      Collections.reverse(order);
    }
    for (int i = 0; i < scans.size(); i++) {
      double[] all = rates.get(i).stream().mapToDouble(Double::doubleValue).toArray();
      results.add(scans.get(i).rival(), scans.get(i).measure(), Samples.of(all).median());
    }
  }
}
