// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.algebra.Gf256;
import io.hdfsraid.erasurecode.codes.LinearCode.EncodingStep;
import io.hdfsraid.erasurecode.codes.LinearCode.LocalCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code hitchhiker-k-m}: Hitchhiker-XOR+ of Rashmi et al., "A Hitchhiker's Guide to Fast and
 * Efficient Data Reconstruction in Erasure-coded Data Centers", SIGCOMM 2014, section 3. Both
 * chunks of a unit, a and b, belong to a Reed-Solomon code of their own, and parity of b carries
 * ("piggybacks") sums of some chunks a: with (10,4) every data unit is rebuilt from 13 chunks
 * instead of 20.
 *
 * <p>f_1 to f_m are the parities of the Cauchy matrix of {@link ReedSolomon}, each column scaled so
 * that f_2 is the sum of all data. p_1 to p_m-1 are the sums of the chunks a of m - 1 disjoint sets
 * of data units, which hold all but the last l. The parity units are
 *
 * <pre>
 *   1        f_1(a)                  f_1(b)
 *   2        f_2(a) + f_2(b) + p_1   f_2(b) + p_1
 *   i = 3..m f_i(a)                  f_i(b) + p_i-1
 * </pre>
 *
 * The chunks of parity unit 2 differ by f_2(a): so any k units determine a, and then b. Hence the
 * code is MDS. One lost unit is rebuilt
 *
 * <ul>
 *   <li>if it is in a set of s, from k + s chunks: the other b and f_1(b) give its b, then the
 *       chunk that carries the set and the other a of the set its a;
 *   <li>if it is one of the last l, from k + m + l - 2: first its b; then the first chunk of parity
 *       unit 2 and the second ones of 3 to m sum up to the a of the last l and to sums of b;
 *   <li>if it is parity unit 2, in the same ways, with (10,4) from 16 chunks. The paper reads 2·k
 *       for it as for the other parity units.
 * </ul>
 *
 * <p>l, and with it the sizes of the sets, which differ by no more than 1, are those that take the
 * fewest chunks for the average data unit: l = 1 and three sets of 3 for (10,4). Where the paper
 * couples the halves of a block, here the chunks of a row are coupled.
 */
final class Hitchhiker {
  private static final int SUB_UNITS = 2;

  private final StripeShape shape;
  private final int[][] parities;
  private final List<UnitSet> sets;
  private final UnitSet last;

  private Hitchhiker(StripeShape shape) {
    this.shape = shape;
    this.parities = parities(shape);
    int lastUnits =
        IntStream.rangeClosed(0, shape.dataUnits())
            .boxed()
            .min(Comparator.comparingInt(l -> chunksRead(shape, l)))
            .orElseThrow();
    this.sets = sets(shape, lastUnits);
    this.last = UnitSet.range(shape.dataUnits() - lastUnits, shape.dataUnits());
  }

  static LinearCode code(int dataUnits, int parityUnits) {
    if (parityUnits < 2) {
      throw new IllegalArgumentException(
          "the first parity unit carries nothing, so it needs m >= 2, but got m=" + parityUnits);
    }
    return new Hitchhiker(new StripeShape(dataUnits, parityUnits)).code();
  }

  /** f_1 to f_m. */
  private static int[][] parities(StripeShape shape) {
    CodingMatrix cauchy =
        ReedSolomon.code(shape.dataUnits(), shape.parityUnits()).generator().parity();
    int[][] rows = new int[shape.parityUnits()][shape.dataUnits()];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < rows[i].length; j++) {
        rows[i][j] = Gf256.multiply(cauchy.get(i, j), Gf256.inverse(cauchy.get(1, j)));
      }
    }
    return rows;
  }

  /** All but the last data units, in order, the larger sets first. */
  private static List<UnitSet> sets(StripeShape shape, int lastUnits) {
    int count = shape.parityUnits() - 1;
    int members = shape.dataUnits() - lastUnits;
    List<UnitSet> sets = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < count; i++) {
      int to = from + members / count + (i < members % count ? 1 : 0);
      sets.add(UnitSet.range(from, to));
      from = to;
    }
    return sets;
  }

  /** To rebuild each of the data units once. */
  private static int chunksRead(StripeShape shape, int lastUnits) {
    int k = shape.dataUnits();
    return sets(shape, lastUnits).stream().mapToInt(set -> set.size() * (k + set.size())).sum()
        + lastUnits * (k + shape.parityUnits() + lastUnits - 2);
  }

  private LinearCode code() {
    return new LinearCode(
        "hitchhiker-%d-%d".formatted(shape.dataUnits(), shape.parityUnits()),
        "Rashmi et al., Hitchhiker, SIGCOMM 2014",
        shape,
        new RowLayout(SUB_UNITS, RowLayout.DEFAULT_CHUNK),
        List.of(secondChunks(), firstChunks()),
        checks(),
        true);
  }

  /** Of every parity unit its sum of all b, and the a of the set it carries. */
  private EncodingStep secondChunks() {
    int k = shape.dataUnits();
    int[][] rows = new int[shape.parityUnits()][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = Arrays.copyOf(parities[i], 2 * k - last.size());
      if (i > 0) {
        for (int unit : sets.get(i - 1).toArray()) {
          rows[i][k + unit] = 1;
        }
      }
    }
    return step(1, chunks(b(data()), a(data().minus(last))), rows);
  }

  /** Of every parity unit its sum of all a, and in the second one what its second chunk holds. */
  private EncodingStep firstChunks() {
    int k = shape.dataUnits();
    int[][] rows = new int[shape.parityUnits()][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = Arrays.copyOf(parities[i], k + 1);
    }
    rows[1][k] = 1;
    return step(0, chunks(a(data()), b(parity(1))), rows);
  }

  private EncodingStep step(int subUnit, List<Integer> inputs, int[][] rows) {
    List<Integer> outputs =
        IntStream.range(shape.dataUnits(), shape.units())
            .mapToObj(unit -> unit * SUB_UNITS + subUnit)
            .toList();
    return new EncodingStep(outputs, inputs, CodingMatrix.of(inputs.size(), rows));
  }

  /**
   * What holds of all b and the first parity unit, of all a, of each set, and of the last units.
   */
  private List<LocalCheck> checks() {
    List<LocalCheck> checks = new ArrayList<>();
    checks.add(new LocalCheck(chunks(b(data()), b(parity(0))), 1));
    checks.add(
        new LocalCheck(
            chunks(a(data()), a(parity(0)), a(UnitSet.range(shape.dataUnits() + 2, shape.units()))),
            shape.parityUnits() - 1));
    for (int i = 1; i < shape.parityUnits(); i++) {
      checks.add(new LocalCheck(chunks(b(data()), a(sets.get(i - 1)), b(parity(i))), 1));
    }
    checks.add(
        new LocalCheck(
            chunks(
                b(UnitSet.of(data().stream().filter(unit -> sumOfAllButFirst(unit) != 0))),
                a(last.plus(parity(1))),
                b(UnitSet.range(shape.dataUnits() + 2, shape.units()))),
            1));
    return checks;
  }

  /** What the sum of f_2 to f_m multiplies the given data unit by. */
  private int sumOfAllButFirst(int unit) {
    return IntStream.range(1, parities.length)
        .map(i -> parities[i][unit])
        .reduce(0, (x, y) -> x ^ y);
  }

  private UnitSet data() {
    return UnitSet.range(0, shape.dataUnits());
  }

  /** The i-th parity unit, counted from 0 as units are. */
  private UnitSet parity(int i) {
    return UnitSet.of(shape.dataUnits() + i);
  }

  private static IntStream a(UnitSet units) {
    return units.stream().map(unit -> unit * SUB_UNITS);
  }

  private static IntStream b(UnitSet units) {
    return units.stream().map(unit -> unit * SUB_UNITS + 1);
  }

  private static List<Integer> chunks(IntStream... parts) {
    return Arrays.stream(parts).flatMapToInt(part -> part).boxed().toList();
  }
}
