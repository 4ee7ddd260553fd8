// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.codes.LinearCode.LocalCheck;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Unions of local checks. Several checks together may determine what none of them determines alone,
 * and then no chunk outside of them must be read.
 *
 * <p>So in LESS, where each chunk lies in two of the α + 1 extended sub-stripes, two lost units of
 * different groups are rebuilt from the sub-stripes of these two groups. (10,4) then reads 30 to 32
 * of the 48 chunks that are left; the paper (Cheng et al., FAST 2026, section 3) leaves this case
 * to the decoding of k whole units, which are 40.
 */
final class CheckUnions {
  // A stripe that lost more units than this has little to spare.
  private static final int MOST_TOGETHER = 4;

  // With 4 of its 129 checks together, hitchhiker-128-128 would plan for half a minute. Two, which
  // a single loss takes there, may be tried together of any code, as none has more than 256 checks.
  private static final long MOST_UNIONS = 40_000;

  private CheckUnions() {}

  /**
   * @param chunks all of the union, missing ones as well
   * @param leastCost of a solution that determines all that is missing in the union; one of a part
   *     of it may read less
   */
  record Union(BitSet chunks, double leastCost) {}

  /**
   * The unions that hold all wanted chunks and at least as many equations as chunks are missing, by
   * what they cost at least.
   *
   * @param cost of each chunk, infinite for those that are missing
   */
  static List<Union> promisingFirst(List<LocalCheck> checks, List<Integer> wanted, double[] cost) {
    List<Union> unions = new ArrayList<>();
    extend(checks, 0, mostTogether(checks.size()), new BitSet(), 0, wanted, cost, unions);
    unions.sort(Comparator.comparingDouble(Union::leastCost));
    return unions;
  }

  private static int mostTogether(int checks) {
    int together = 0;
    long ofThisSize = 1;
    long unions = 0;
    while (together < MOST_TOGETHER && unions <= MOST_UNIONS) {
      ofThisSize = ofThisSize * (checks - together) / (together + 1);
      unions += ofThisSize;
      together++;
    }
    return unions <= MOST_UNIONS ? together : together - 1;
  }

  private static void extend(
      List<LocalCheck> checks,
      int first,
      int more,
      BitSet chunks,
      int redundancy,
      List<Integer> wanted,
      double[] cost,
      List<Union> unions) {
    if (wanted.stream().allMatch(chunks::get)) {
      double[] readable =
          chunks.stream()
              .mapToDouble(chunk -> cost[chunk])
              .filter(price -> price < Double.POSITIVE_INFINITY)
              .sorted()
              .toArray();
      int determining = chunks.cardinality() - redundancy;
      if (readable.length >= determining) {
        unions.add(
            new Union(chunks, IntStream.range(0, determining).mapToDouble(i -> readable[i]).sum()));
      }
    }
    for (int next = first; more > 0 && next < checks.size(); next++) {
      BitSet together = (BitSet) chunks.clone();
      checks.get(next).chunks().forEach(together::set);
      extend(
          checks,
          next + 1,
          more - 1,
          together,
          redundancy + checks.get(next).redundancy(),
          wanted,
          cost,
          unions);
    }
  }
}
