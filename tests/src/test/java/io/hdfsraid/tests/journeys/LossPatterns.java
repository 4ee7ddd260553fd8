// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Which units of a stripe to lose. */
final class LossPatterns {
  private LossPatterns() {}

  /** All sets of 1 to {@code most} units. */
  static List<UnitSet> all(StripeShape shape, int most) {
    List<UnitSet> patterns = new ArrayList<>();
    for (int bits = 1; bits < 1 << shape.units(); bits++) {
      if (Integer.bitCount(bits) <= most) {
        int lost = bits;
        patterns.add(
            UnitSet.of(UnitSet.all(shape).stream().filter(unit -> (lost >> unit & 1) == 1)));
      }
    }
    return patterns;
  }

  /**
   * For every number of losses that the code is sure to bear: of data, of parity, mixed, and where
   * the code has local groups, of one group and of two. Which units of these is drawn, always the
   * same.
   */
  static List<UnitSet> ofEachKind(ErasureCodec codec) {
    StripeShape shape = codec.shape();
    UnitSet data = UnitSet.range(0, shape.dataUnits());
    UnitSet parity = UnitSet.range(shape.dataUnits(), shape.units());
    UnitSet first = groupOf(codec, 0);
    UnitSet second = groupOf(codec, shape.dataUnits() - 1);
    boolean local = !first.intersects(second);
    Random random = new Random(codec.name().hashCode());
    Set<UnitSet> patterns = new LinkedHashSet<>();
    for (int losses = 1; losses <= codec.furtherLosses(UnitSet.none()); losses++) {
      patterns.add(some(data, losses, random));
      patterns.add(some(parity, losses, random));
      if (losses > 1) {
        patterns.add(some(data, (losses + 1) / 2, random).plus(some(parity, losses / 2, random)));
      }
      if (local && losses > 1) {
        patterns.add(some(first, losses, random));
        patterns.add(some(first, (losses + 1) / 2, random).plus(some(second, losses / 2, random)));
      }
    }
    return List.copyOf(patterns);
  }

  /** A unit and what it is rebuilt from when nothing else is lost. */
  private static UnitSet groupOf(ErasureCodec codec, int unit) {
    UnitSet others = UnitSet.all(codec.shape()).without(unit);
    return codec
        .recipe(UnitSet.of(unit), others, ReadCost.UNIFORM)
        .orElseThrow()
        .helpers()
        .with(unit);
  }

  private static UnitSet some(UnitSet of, int count, Random random) {
    List<Integer> units = new ArrayList<>(of.stream().boxed().toList());
    Collections.shuffle(units, random);
    return UnitSet.of(units.subList(0, Math.min(count, units.size())));
  }
}
