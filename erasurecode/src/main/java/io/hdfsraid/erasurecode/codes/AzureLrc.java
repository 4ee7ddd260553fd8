// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import io.hdfsraid.erasurecode.codes.LinearCode.LocalCheck;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code lrc-azure-k-l-g}: Huang et al., "Erasure Coding in Windows Azure Storage", USENIX ATC
 * 2012. Data units come in l groups of k/l one after another; parity units are l local ones, each
 * the sum of its group, then g = 2 global ones.
 *
 * <p>The code is maximally recoverable: it tolerates every pattern of losses that any code of this
 * shape can tolerate. The globals are the sums of c·x and c²·x over all data units x, as in section
 * 2.2 of the paper. A local parity counts as a member with c = 0. After each group's own check has
 * been used for one of its losses, at most two losses may be left, and the cases are:
 *
 * <ul>
 *   <li>three lost in one group: a Vandermonde determinant, not 0 when the c of a group and 0 are
 *       distinct;
 *   <li>two lost in one group, and one global: c1 ≠ c2, and so c1² ≠ c2²;
 *   <li>two lost in each of two groups, with c1, c2 and d1, d2: the determinant is (c1 + c2)(d1 +
 *       d2)(c1 + c2 + d1 + d2), not 0 when no sum of two c of one group is one of another group.
 * </ul>
 *
 * <p>Both conditions hold when group i takes its c from the bits i·b to i·b + b - 1 alone, with b
 * bits enough for k/l + 1 values: the paper does so with b = 2 for (6,2,2). So any shape with l·b ≤
 * 8 has coefficients, (12,2,2) and (12,4,2) among them.
 */
final class AzureLrc {
  private static final int GLOBALS = 2;
  private static final int FIELD_BITS = 8;

  private AzureLrc() {}

  static LinearCode code(int dataUnits, int locals, int globals) {
    if (globals != GLOBALS || locals < 2 || dataUnits % locals != 0 || dataUnits == locals) {
      throw new IllegalArgumentException(
          "coefficients are known for 2 global parities and 2 or more equal groups of 2 or more"
              + " data units");
    }
    int groupSize = dataUnits / locals;
    int groupBits = Integer.SIZE - Integer.numberOfLeadingZeros(groupSize);
    if (locals * groupBits > FIELD_BITS) {
      throw new IllegalArgumentException(
          "%d groups of %d data units need coefficients of %d bits, but the field has 8"
              .formatted(locals, groupSize, locals * groupBits));
    }
    int[][] rows = new int[locals + globals][dataUnits];
    List<LocalCheck> checks = new ArrayList<>();
    for (int group = 0; group < locals; group++) {
      List<Integer> members = new ArrayList<>();
      for (int i = 0; i < groupSize; i++) {
        int unit = group * groupSize + i;
        int coefficient = (i + 1) << (group * groupBits);
        rows[group][unit] = 1;
        rows[locals][unit] = coefficient;
        rows[locals + 1][unit] = Gf256.multiply(coefficient, coefficient);
        members.add(unit);
      }
      members.add(dataUnits + group);
      checks.add(new LocalCheck(members, 1));
    }
    return LinearCode.of(
        "lrc-azure-%d-%d-%d".formatted(dataUnits, locals, globals),
        "Huang et al., Erasure Coding in Windows Azure Storage, ATC 2012",
        new StripeShape(dataUnits, rows.length),
        CodingMatrix.of(dataUnits, rows),
        checks,
        false);
  }
}
