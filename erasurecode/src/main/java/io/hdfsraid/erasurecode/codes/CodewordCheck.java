// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.Consistency;
import io.hdfsraid.erasurecode.Consistency.Verdict;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.PreparedMatrix;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The parity checks that hold among the present units of a stripe, whatever the others are. For
 * each unit it also knows the checks that do not involve the unit: they still hold when only this
 * unit is wrong. Immutable and safe for concurrent use.
 */
final class CodewordCheck {
  // Sums are computed piece by piece, so that a row of any length takes little memory.
  private static final int PIECE = 64 * 1024;

  // Few bytes are checked by the reference kernel: digests tell whether another kernel is right.
  private static final int FEW = 64;

  private static final ByteBuffer ZEROS = ByteBuffer.allocate(PIECE).asReadOnlyBuffer();

  private final int subUnits;
  private final UnitSet present;
  private final UnitSet unchecked;
  private final CodingMatrix checks;
  private final PreparedMatrix prepared;

  CodewordCheck(LinearCode code, UnitSet present) {
    this.subUnits = code.subUnits();
    this.present = present;
    UnitSet absent = UnitSet.all(code.shape()).minus(present);
    this.checks = columns(code, absent).leftNullSpace().times(columns(code, present));
    this.prepared = new PreparedMatrix(checks);
    this.unchecked = UnitSet.of(present.stream().filter(unit -> own(unit).isZero()));
  }

  /** What the checks say of one unit. */
  private CodingMatrix own(int unit) {
    int place = (int) present.stream().filter(other -> other < unit).count();
    return checks.pickColumns(IntStream.range(place * subUnits, (place + 1) * subUnits).toArray());
  }

  private static CodingMatrix columns(LinearCode code, UnitSet units) {
    return code.generator()
        .checks()
        .pickColumns(
            units.stream()
                .flatMap(
                    unit -> IntStream.range(unit * code.subUnits(), (unit + 1) * code.subUnits()))
                .toArray());
  }

  /**
   * @param chunks the α chunks of each present unit, in ascending order
   */
  Consistency check(ByteBuffer[] chunks) {
    if (checks.rows() == 0) {
      return new Consistency(Verdict.UNDECIDED, UnitSet.none(), present);
    }
    int length = chunks[0].remaining();
    ByteBuffer[] sums = buffers(checks.rows(), Math.min(PIECE, length));
    Map<Integer, PreparedMatrix> others = new TreeMap<>();
    boolean wrong = false;
    for (int from = 0; from < length; from += PIECE) {
      int count = Math.min(PIECE, length - from);
      ByteBuffer[] piece = new ByteBuffer[chunks.length];
      for (int i = 0; i < piece.length; i++) {
        piece[i] = chunks[i].slice(chunks[i].position() + from, count);
      }
      for (ByteBuffer sum : sums) {
        sum.clear().limit(count);
      }
      if (length <= FEW) {
        prepared.multiplyByReference(piece, sums);
      } else {
        prepared.multiply(piece, sums);
      }
      if (!areZero(sums)) {
        if (!wrong) {
          wrong = true;
          present.stream().forEach(unit -> others.put(unit, silentAbout(unit)));
        }
        others.values().removeIf(about -> !areZero(products(about, sums)));
      }
    }
    return wrong
        ? new Consistency(Verdict.WRONG, UnitSet.of(others.keySet()), unchecked)
        : new Consistency(Verdict.CODEWORD, UnitSet.none(), unchecked);
  }

  /** Combinations of the checks that hold whatever the unit's content is. */
  private PreparedMatrix silentAbout(int unit) {
    return new PreparedMatrix(own(unit).leftNullSpace());
  }

  private static ByteBuffer[] products(PreparedMatrix matrix, ByteBuffer[] sums) {
    ByteBuffer[] products = buffers(matrix.matrix().rows(), sums[0].remaining());
    matrix.multiply(sums, products);
    return products;
  }

  private static ByteBuffer[] buffers(int count, int length) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    Arrays.setAll(buffers, i -> ByteBuffer.allocate(length));
    return buffers;
  }

  private static boolean areZero(ByteBuffer[] buffers) {
    return Arrays.stream(buffers)
        .allMatch(buffer -> buffer.equals(ZEROS.slice(0, buffer.remaining())));
  }
}
