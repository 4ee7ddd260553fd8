// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import io.hdfsraid.erasurecode.codes.LinearCode.EncodingStep;
import io.hdfsraid.erasurecode.codes.LinearCode.LocalCheck;
import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code less-k-m} and {@code less-k-m-α}: Cheng, Li, Li, Hu and Lee, "LESS is More for
 * I/O-Efficient Repairs in Erasure-Coded Storage", USENIX FAST 2026, section 3. MDS, and yet a
 * single lost unit is rebuilt from much less than k units: 4.64 blocks on average for (10,4). α is
 * m unless it is named.
 *
 * <p>The n = k + m units are split in order into α + 1 groups, the first n mod (α + 1) of which
 * have one unit more. As in the paper, groups, positions in a group and chunks j of a unit are
 * counted from 1 here; chunk j is sub-unit j - 1. Extended sub-stripe X_z holds every chunk of the
 * units of group z, and of each other unit its chunk z; the last one, X_α+1, of each other unit the
 * chunk that has the number of its group.
 *
 * <p>With a coefficient ν = p^((position·(α + 1) + group)·α + j) for every chunk, the sum of
 * ν^e·chunk over X_z is 0 for e = 0 to m - 1 and z = 1 to α. Summed up over z these are the same
 * checks for X_α+1, as every other chunk is counted twice. So each X_z is a Reed-Solomon code of
 * its own, which bears the loss of any m of its chunks, and a unit of group z is rebuilt from k +
 * (α - 1)·(units in group z) chunks of X_z. They are of k + α - 1 units; of each it is either one
 * chunk or, in the same group, all of them, so that every helper reads one contiguous piece of each
 * row.
 *
 * <p>Parity is made sub-stripe by sub-stripe: chunk z of the parity units from the rest of X_z, all
 * of which is known by then unless there is parity in a group before α. The matrix of all parity
 * chunks at once would have twice as many elements, with (10,4) 640 instead of 304.
 */
final class Less {
  // Table 4 of the paper. That all shapes up to mostUnits are MDS has been counted.
  private static final List<Coefficients> KNOWN =
      List.of(
          new Coefficients(2, 2, 2, 127),
          new Coefficients(3, 2, 50, 44),
          new Coefficients(3, 3, 14, 40),
          new Coefficients(4, 2, 6, 23),
          new Coefficients(4, 3, 2, 17),
          new Coefficients(4, 4, 14, 16));

  private final StripeShape shape;
  private final int subUnits;
  private final int p;

  private Less(StripeShape shape, Coefficients coefficients) {
    this.shape = shape;
    this.subUnits = coefficients.subUnits;
    this.p = coefficients.p;
  }

  /** α = m. */
  static LinearCode code(int dataUnits, int parityUnits) {
    return code(
        "less-%d-%d".formatted(dataUnits, parityUnits),
        new StripeShape(dataUnits, parityUnits),
        parityUnits);
  }

  static LinearCode code(int dataUnits, int parityUnits, int subUnits) {
    if (subUnits == parityUnits) {
      throw new IllegalArgumentException(
          "with as many sub-units as parity units it is named less-%d-%d"
              .formatted(dataUnits, parityUnits));
    }
    return code(
        "less-%d-%d-%d".formatted(dataUnits, parityUnits, subUnits),
        new StripeShape(dataUnits, parityUnits),
        subUnits);
  }

  private static LinearCode code(String name, StripeShape shape, int subUnits) {
    Coefficients coefficients =
        KNOWN.stream()
            .filter(known -> known.parityUnits == shape.parityUnits() && known.subUnits == subUnits)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "coefficients are known for m = 2 to 4 parity units of 2 to m sub-units, but got m=%d and %d sub-units"
                            .formatted(shape.parityUnits(), subUnits)));
    if (shape.units() > coefficients.mostUnits) {
      throw new IllegalArgumentException(
          "with %d parity units of %d sub-units there are at most %d units in all, but got %d"
              .formatted(shape.parityUnits(), subUnits, coefficients.mostUnits, shape.units()));
    }
    return new Less(shape, coefficients).code(name);
  }

  private LinearCode code(String name) {
    if (group(shape.dataUnits()) < subUnits) {
      throw new IllegalArgumentException(
          "it is encoded group by group, and %d data units are too few: no more than the last 2 of %d groups may hold parity"
              .formatted(shape.dataUnits(), subUnits + 1));
    }
    return new LinearCode(
        name,
        "Cheng et al., LESS is More, FAST 2026",
        shape,
        new RowLayout(subUnits, RowLayout.DEFAULT_CHUNK),
        IntStream.rangeClosed(1, subUnits).mapToObj(this::step).toList(),
        IntStream.rangeClosed(1, subUnits + 1)
            .mapToObj(z -> new LocalCheck(extendedSubStripe(z), shape.parityUnits()))
            .toList(),
        true);
  }

  /** Solves the checks of X_z for chunk z of the parity units. */
  private EncodingStep step(int z) {
    List<Integer> outputs =
        IntStream.range(shape.dataUnits(), shape.units()).mapToObj(unit -> chunk(unit, z)).toList();
    List<Integer> inputs =
        extendedSubStripe(z).stream().filter(chunk -> !outputs.contains(chunk)).toList();
    return new EncodingStep(
        outputs, inputs, checks(outputs).inverse().orElseThrow().times(checks(inputs)));
  }

  /** X_z, in ascending order. */
  private List<Integer> extendedSubStripe(int z) {
    return IntStream.range(0, shape.units() * subUnits)
        .filter(
            chunk -> {
              int group = group(chunk / subUnits);
              int j = chunk % subUnits + 1;
              return group == z || j == (z <= subUnits ? z : group);
            })
        .boxed()
        .toList();
  }

  /** Row e has ν^e of each of the given chunks. */
  private CodingMatrix checks(List<Integer> chunks) {
    int[][] rows = new int[shape.parityUnits()][chunks.size()];
    for (int e = 0; e < rows.length; e++) {
      for (int i = 0; i < rows[e].length; i++) {
        rows[e][i] = Gf256.power(coefficient(chunks.get(i)), e);
      }
    }
    return CodingMatrix.of(chunks.size(), rows);
  }

  private int coefficient(int chunk) {
    int unit = chunk / subUnits;
    int j = chunk % subUnits + 1;
    return Gf256.power(p, (position(unit) * (subUnits + 1) + group(unit)) * subUnits + j);
  }

  private int chunk(int unit, int j) {
    return unit * subUnits + j - 1;
  }

  private int group(int unit) {
    int group = 1;
    while (firstOfGroup(group + 1) <= unit) {
      group++;
    }
    return group;
  }

  private int position(int unit) {
    return unit - firstOfGroup(group(unit)) + 1;
  }

  private int firstOfGroup(int group) {
    int groups = subUnits + 1;
    return (group - 1) * (shape.units() / groups) + Math.min(group - 1, shape.units() % groups);
  }

  /**
   * @param p whose powers are the coefficients
   * @param mostUnits up to which the code is MDS
   */
  private record Coefficients(int parityUnits, int subUnits, int p, int mostUnits) {}
}
