// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * A weighted sum of the bytes of a unit, in {@value #LANES} places for each sub-unit. A chunk is
 * cut into blocks of {@value #LANES} bytes; byte <i>i</i> of block <i>b</i> in row <i>r</i> is
 * multiplied by a power of 2 in GF(2^8), which depends on <i>b</i> and <i>r</i>, and added to place
 * <i>i</i>. The codes are linear over this field and treat all bytes of a chunk alike. So the
 * digests of the units of a stripe are a codeword if the units are. If they are not, the digests
 * are none either, unless the differences cancel each other in every place, which a single wrong
 * byte cannot. Without the weights the same difference in each byte would cancel out in chunks with
 * an even number of blocks. The digest says nothing about accidental changes that a CRC would not
 * find, too; it tells whether parity belongs to its data, which a CRC cannot. A digest may be taken
 * of a random window of each row only: code that computes wrong parity is found by that as well.
 * Not safe for concurrent use; updates must be ordered among threads.
 */
public final class UnitDigest {
  private static final int WORDS = 8;
  private static final int LANES = WORDS * Long.BYTES;
  private static final int CYCLE = Gf256.SIZE - 1;

  /** The number of powers between two rows, so that equal rows do not cancel out. */
  private static final int ROW_STEP = 101;

  private static final long TOP_BITS = 0x8080808080808080L;
  private static final long REDUCTION = 0x1DL;

  private static final int PARTS = 32;
  private static final int SHORTEST_WINDOW = 4096;

  private final RowLayout layout;
  private final long stripeLength;
  private final OptionalLong seed;
  private final long[] sums;

  private UnitDigest(RowLayout layout, long stripeLength, OptionalLong seed) {
    this.layout = layout;
    this.stripeLength = stripeLength;
    this.seed = seed;
    this.sums = new long[layout.subUnits() * WORDS];
  }

  /**
   * Creates a digest of all bytes.
   *
   * @param stripeLength the length of a parity unit, which fixes the rows
   */
  public static UnitDigest of(RowLayout layout, long stripeLength) {
    return new UnitDigest(layout, stripeLength, OptionalLong.empty());
  }

  /**
   * Creates a digest of a random window of each row, a thirty-second of its chunks. Rows of short
   * chunks are summed up as a whole.
   *
   * @param seed the same for all units of a stripe
   */
  static UnitDigest ofWindows(RowLayout layout, long stripeLength, long seed) {
    return new UnitDigest(layout, stripeLength, OptionalLong.of(seed));
  }

  /**
   * Adds bytes of the unit. Bytes beyond the end of a shorter unit are zeros, which add nothing.
   *
   * @param offset of the first byte in the unit
   * @param bytes from position to limit; the position is left as it was
   */
  public void add(long offset, ByteBuffer bytes) {
    ByteBuffer from = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    long at = offset;
    while (from.hasRemaining()) {
      long row = at / layout.rowBytes();
      int chunkLength = layout.chunkLength(row, stripeLength);
      long inRow = at - row * layout.rowBytes();
      int subUnit = (int) (inRow / chunkLength);
      int inChunk = (int) (inRow - (long) subUnit * chunkLength);
      int count = Math.min(from.remaining(), chunkLength - inChunk);
      int window = seed.isEmpty() ? chunkLength : windowLength(chunkLength);
      int start = window == chunkLength ? 0 : windowStart(row, chunkLength - window);
      int first = Math.max(inChunk, start);
      int length = Math.min(inChunk + count, start + window) - first;
      if (length > 0) {
        add(
            subUnit * WORDS,
            row,
            first,
            from.slice(from.position() + first - inChunk, length).order(ByteOrder.LITTLE_ENDIAN));
      }
      from.position(from.position() + count);
      at += count;
    }
  }

  private static int windowLength(int chunkLength) {
    return Math.min(chunkLength, Math.max(SHORTEST_WINDOW, chunkLength / PARTS));
  }

  private int windowStart(long row, int last) {
    return new SplittableRandom(seed.orElseThrow() + row).nextInt(last + 1);
  }

  /**
   * Adds bytes of one chunk.
   *
   * @param first index of the sum that belongs to the sub-unit
   * @param inChunk place of the first byte in the chunk
   */
  private void add(int first, long row, int inChunk, ByteBuffer bytes) {
    int place = inChunk;
    while (bytes.hasRemaining() && place % LANES != 0) {
      addByte(first, row, place++, bytes.get());
    }
    int blocks = bytes.remaining() / LANES;
    if (blocks > 0) {
      addBlocks(first, weight(row, place / LANES + blocks - 1), bytes, blocks);
      place += blocks * LANES;
    }
    while (bytes.hasRemaining()) {
      addByte(first, row, place++, bytes.get());
    }
  }

  /** Adds whole blocks by Horner's rule: each block multiplies those before it by 2. */
  private void addBlocks(int first, byte[] weightOfLast, ByteBuffer bytes, int blocks) {
    int position = bytes.position();
    int end = position + blocks * LANES;
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    long e = 0;
    long f = 0;
    long g = 0;
    long h = 0;
    for (; position < end; position += LANES) {
      a = twice(a) ^ bytes.getLong(position);
      b = twice(b) ^ bytes.getLong(position + 8);
      c = twice(c) ^ bytes.getLong(position + 16);
      d = twice(d) ^ bytes.getLong(position + 24);
      e = twice(e) ^ bytes.getLong(position + 32);
      f = twice(f) ^ bytes.getLong(position + 40);
      g = twice(g) ^ bytes.getLong(position + 48);
      h = twice(h) ^ bytes.getLong(position + 56);
    }
    sums[first] ^= times(weightOfLast, a);
    sums[first + 1] ^= times(weightOfLast, b);
    sums[first + 2] ^= times(weightOfLast, c);
    sums[first + 3] ^= times(weightOfLast, d);
    sums[first + 4] ^= times(weightOfLast, e);
    sums[first + 5] ^= times(weightOfLast, f);
    sums[first + 6] ^= times(weightOfLast, g);
    sums[first + 7] ^= times(weightOfLast, h);
    bytes.position(end);
  }

  /** Multiplies eight elements of GF(2^8) by 2. */
  private static long twice(long elements) {
    long overflowing = elements & TOP_BITS;
    return ((elements ^ overflowing) << 1) ^ ((overflowing >>> 7) * REDUCTION);
  }

  private static long times(byte[] products, long elements) {
    long result = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      result |= (products[(int) (elements >>> shift) & 0xFF] & 0xFFL) << shift;
    }
    return result;
  }

  /** Returns the products with the weight of a block: with each block, the power falls by one. */
  private static byte[] weight(long row, int block) {
    int steps = (int) ((row * ROW_STEP + block) % CYCLE);
    return Gf256.products(Gf256.power(2, CYCLE - steps));
  }

  private void addByte(int first, long row, int place, byte value) {
    int lane = place % LANES;
    byte weighted = weight(row, place / LANES)[value & 0xFF];
    sums[first + lane / Long.BYTES] ^= (weighted & 0xFFL) << (Byte.SIZE * (lane % Long.BYTES));
  }

  /** Returns the digest as a row of the unit, chunk after chunk, as codecs take it. */
  public ByteBuffer row() {
    ByteBuffer row = ByteBuffer.allocate(sums.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long sum : sums) {
      row.putLong(sum);
    }
    return row.flip();
  }
}
