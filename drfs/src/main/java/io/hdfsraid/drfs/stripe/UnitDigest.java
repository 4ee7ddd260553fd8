package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.RowLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The sum of all bytes of a unit, in {@value #LANES} places for each sub-unit: byte <i>i</i> of a
 * chunk is added to place <i>i</i> mod {@value #LANES}. Sums in GF(2^8) are XORs, and the codes are
 * linear and treat all bytes of a chunk alike. So the digests of the units of a stripe are a
 * codeword if the units are. If they are not, the digests are none either, unless the differences
 * cancel each other in every place, which a single wrong byte cannot. The digest says nothing about
 * accidental changes that a CRC would not find, too; it tells whether parity belongs to its data,
 * which a CRC cannot. Not safe for concurrent use; updates must be ordered among threads.
 */
public final class UnitDigest {
  private static final int LANES = 64;
  private static final int WORDS = LANES / Long.BYTES;

  private final RowLayout layout;
  private final long stripeLength;
  private final long[] sums;

  /**
   * @param stripeLength the length of a parity unit, which fixes the rows
   */
  public UnitDigest(RowLayout layout, long stripeLength) {
    this.layout = layout;
    this.stripeLength = stripeLength;
    this.sums = new long[layout.subUnits() * WORDS];
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
      add(subUnit * WORDS, inChunk, from.slice().order(ByteOrder.LITTLE_ENDIAN).limit(count));
      from.position(from.position() + count);
      at += count;
    }
  }

  /** Adds bytes of one chunk, the first of which has this place in the chunk. */
  private void add(int first, int inChunk, ByteBuffer bytes) {
    int place = inChunk;
    while (bytes.hasRemaining() && place % LANES != 0) {
      addByte(first, place++, bytes.get());
    }
    int position = bytes.position();
    int end = position + bytes.remaining() / LANES * LANES;
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    long e = 0;
    long f = 0;
    long g = 0;
    long h = 0;
    for (; position < end; position += LANES) {
      a ^= bytes.getLong(position);
      b ^= bytes.getLong(position + 8);
      c ^= bytes.getLong(position + 16);
      d ^= bytes.getLong(position + 24);
      e ^= bytes.getLong(position + 32);
      f ^= bytes.getLong(position + 40);
      g ^= bytes.getLong(position + 48);
      h ^= bytes.getLong(position + 56);
    }
    sums[first] ^= a;
    sums[first + 1] ^= b;
    sums[first + 2] ^= c;
    sums[first + 3] ^= d;
    sums[first + 4] ^= e;
    sums[first + 5] ^= f;
    sums[first + 6] ^= g;
    sums[first + 7] ^= h;
    bytes.position(end);
    for (place = 0; bytes.hasRemaining(); place++) {
      addByte(first, place, bytes.get());
    }
  }

  private void addByte(int first, int place, byte value) {
    int lane = place % LANES;
    sums[first + lane / Long.BYTES] ^= (value & 0xffL) << (Byte.SIZE * (lane % Long.BYTES));
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
