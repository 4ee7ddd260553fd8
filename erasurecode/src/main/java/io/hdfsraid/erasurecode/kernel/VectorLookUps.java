// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The only class that uses the Vector API. It is compiled on its own, see the pom. The parts that
 * it uses are the same in Java 17 and 25.
 *
 * <p>Change with care, and measure on both. When a method, with all it calls, grows beyond what the
 * JIT compiler takes at once, it keeps its vectors as objects on the heap and runs at a tenth of
 * the speed or less: twice the look-ups in {@link #sum} are too many, and so they are for its
 * caller, into which it is not drawn only because it is longer than 325 bytes of bytecode.
 */
final class VectorLookUps implements VectorKernel.LookUps {
  private static final int WIDTH = VectorKernel.WIDTH;
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_512;

  @Override
  public int preferredBits() {
    return ByteVector.SPECIES_PREFERRED.vectorBitSize();
  }

  @Override
  public void pack(byte[] lanes, int stride, int inputs, int count) {
    for (int input = 0; input < inputs; input += 3) {
      int a = input * stride;
      int b = Math.min(input + 1, inputs - 1) * stride;
      int c = Math.min(input + 2, inputs - 1) * stride;
      int to = (inputs + input / 3) * stride;
      for (int i = 0; i < count; i += WIDTH) {
        bits(lanes, a + i, 6, 0x03030303)
            .or(bits(lanes, b + i, 4, 0x0C0C0C0C))
            .or(bits(lanes, c + i, 2, 0x30303030))
            .reinterpretAsBytes()
            .intoArray(lanes, to + i);
      }
    }
  }

  /** As ints, as there are no instructions to shift bytes. */
  private static IntVector bits(byte[] lanes, int from, int shift, int mask) {
    return ByteVector.fromArray(SPECIES, lanes, from)
        .reinterpretAsInts()
        .lanewise(VectorOperators.LSHR, shift)
        .and(mask);
  }

  @Override
  public void sum(byte[] tables, byte[] lanes, int stride, int to, int count) {
    for (int i = 0; i < count; i += VectorKernel.STEP) {
      ByteVector a0 = ByteVector.zero(SPECIES);
      ByteVector a1 = a0;
      ByteVector b0 = a0;
      ByteVector b1 = a0;
      ByteVector c0 = a0;
      ByteVector c1 = a0;
      ByteVector d0 = a0;
      ByteVector d1 = a0;
      for (int at = 0, from = i; at < tables.length; at += 4 * WIDTH, from += stride) {
        ByteVector index0 = index(lanes, from);
        ByteVector index1 = index(lanes, from + WIDTH);
        ByteVector table = ByteVector.fromArray(SPECIES, tables, at);
        a0 = add(a0, index0, table);
        a1 = add(a1, index1, table);
        table = ByteVector.fromArray(SPECIES, tables, at + WIDTH);
        b0 = add(b0, index0, table);
        b1 = add(b1, index1, table);
        table = ByteVector.fromArray(SPECIES, tables, at + 2 * WIDTH);
        c0 = add(c0, index0, table);
        c1 = add(c1, index1, table);
        table = ByteVector.fromArray(SPECIES, tables, at + 3 * WIDTH);
        d0 = add(d0, index0, table);
        d1 = add(d1, index1, table);
      }
      a0.intoArray(lanes, to + i);
      a1.intoArray(lanes, to + i + WIDTH);
      b0.intoArray(lanes, to + stride + i);
      b1.intoArray(lanes, to + stride + i + WIDTH);
      c0.intoArray(lanes, to + 2 * stride + i);
      c1.intoArray(lanes, to + 2 * stride + i + WIDTH);
      d0.intoArray(lanes, to + 3 * stride + i);
      d1.intoArray(lanes, to + 3 * stride + i + WIDTH);
    }
  }

  /** Without the mask, Java 17 throws, while 24 and newer ignore the bits above (JDK-8340079). */
  private static ByteVector index(byte[] lanes, int from) {
    return ByteVector.fromArray(SPECIES, lanes, from).and((byte) (WIDTH - 1));
  }

  private static ByteVector add(ByteVector sum, ByteVector index, ByteVector table) {
    return sum.lanewise(VectorOperators.XOR, index.selectFrom(table));
  }
}
