// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.measure.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Times of single reads within a round, by rival, in milliseconds. */
final class Times {
  private final Map<Rival, List<Double>> millis = new LinkedHashMap<>();

  /** A read that is timed. */
  @FunctionalInterface
  interface Timed {
    void run() throws IOException;
  }

  void time(Rival rival, Timed read) throws IOException {
    double taken = millis(read);
    millis.computeIfAbsent(rival, first -> new ArrayList<>()).add(taken);
  }

  static double millis(Timed read) throws IOException {
    long start = System.nanoTime();
    read.run();
    return (System.nanoTime() - start) / 1e6;
  }

  void forEach(BiConsumer<Rival, Samples> consumer) {
    millis.forEach(
        (rival, all) ->
            consumer.accept(
                rival, Samples.of(all.stream().mapToDouble(Double::doubleValue).toArray())));
  }
}
