// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.UnitSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Sets of units to lose. */
final class Patterns {
  private Patterns() {}

  /** Every set of exactly {@code size} of the units 0 to {@code units - 1}. */
  static List<UnitSet> ofSize(int size, int units) {
    List<UnitSet> patterns = new ArrayList<>();
    extend(new int[0], 0, size, units, patterns);
    return patterns;
  }

  static Stream<UnitSet> upToSize(int size, int units) {
    return Stream.iterate(1, s -> s + 1).limit(size).flatMap(s -> ofSize(s, units).stream());
  }

  private static void extend(int[] chosen, int from, int size, int units, List<UnitSet> patterns) {
    if (chosen.length == size) {
      patterns.add(UnitSet.of(chosen));
      return;
    }
    for (int unit = from; unit < units; unit++) {
      int[] more = Arrays.copyOf(chosen, chosen.length + 1);
      more[chosen.length] = unit;
      extend(more, unit + 1, size, units, patterns);
    }
  }
}
