package io.hdfsraid.erasurecode;

import io.hdfsraid.erasurecode.Consistency.Verdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The parity checks that hold among the present units of a stripe whatever the others are, and what
 * of these checks says nothing about one unit: that part still holds when only this unit is wrong.
 * Immutable and safe for concurrent use.
 */
final class CodewordCheck {
  // Sums are computed piece by piece, so that a row of any length takes little memory.
  private static final int PIECE = 64 * 1024;

  private final int subUnits;
  private final int[] present;
  private final CodingMatrix checks;
  private final PreparedMatrix prepared;
  private final Map<Integer, PreparedMatrix> withoutUnit = new TreeMap<>();

  CodewordCheck(LinearCode code, UnitSet present) {
    this.subUnits = code.subUnits();
    this.present = present.toArray();
    UnitSet absent = UnitSet.all(code.shape()).minus(present);
    this.checks = columns(code, absent).leftNullSpace().times(columns(code, present));
    this.prepared = new PreparedMatrix(checks);
    for (int i = 0; i < this.present.length; i++) {
      int[] own = new int[subUnits];
      int first = i * subUnits;
      Arrays.setAll(own, subUnit -> first + subUnit);
      withoutUnit.put(this.present[i], new PreparedMatrix(checks.pickColumns(own).leftNullSpace()));
    }
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
      return new Consistency(Verdict.UNDECIDED, UnitSet.none());
    }
    int length = chunks[0].remaining();
    Optional<UnitSet> suspects = Optional.empty();
    ByteBuffer[] sums = buffers(checks.rows(), Math.min(PIECE, length));
    for (int from = 0; from < length; from += PIECE) {
      int count = Math.min(PIECE, length - from);
      ByteBuffer[] piece = new ByteBuffer[chunks.length];
      for (int i = 0; i < piece.length; i++) {
        piece[i] = chunks[i].slice(chunks[i].position() + from, count);
      }
      for (ByteBuffer sum : sums) {
        sum.clear().limit(count);
      }
      prepared.multiply(piece, sums);
      if (!areZero(sums)) {
        UnitSet before = suspects.orElse(UnitSet.of(present));
        suspects = Optional.of(UnitSet.of(before.stream().filter(unit -> explains(unit, sums))));
      }
    }
    return suspects
        .map(units -> new Consistency(Verdict.WRONG, units))
        .orElse(new Consistency(Verdict.CODEWORD, UnitSet.none()));
  }

  private boolean explains(int unit, ByteBuffer[] sums) {
    PreparedMatrix others = withoutUnit.get(unit);
    ByteBuffer[] left = buffers(others.matrix().rows(), sums[0].remaining());
    others.multiply(sums, left);
    return areZero(left);
  }

  private static ByteBuffer[] buffers(int count, int length) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    Arrays.setAll(buffers, i -> ByteBuffer.allocate(length));
    return buffers;
  }

  private static boolean areZero(ByteBuffer[] buffers) {
    return Arrays.stream(buffers)
        .allMatch(buffer -> buffer.mismatch(ByteBuffer.allocate(buffer.remaining())) < 0);
  }
}
