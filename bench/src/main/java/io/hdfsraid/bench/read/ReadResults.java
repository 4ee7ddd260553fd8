// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.measure.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was measured, one value for each round. */
final class ReadResults {
  private final Map<Key, List<Double>> values = new HashMap<>();

  private record Key(Rival rival, Measure measure) {}

  void add(Rival rival, Measure measure, double value) {
    values.computeIfAbsent(new Key(rival, measure), first -> new ArrayList<>()).add(value);
  }

  Samples of(Rival rival, Measure measure) {
    List<Double> found = values.get(new Key(rival, measure));
    if (found == null) {
      throw new IllegalArgumentException(
          "%s of %s was not measured".formatted(measure, rival.name()));
    }
    return Samples.of(found.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
