package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.RowLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * The sum of all bytes of a unit, in {@value #LANES} places for each sub-unit: byte <i>i</i> of a
 * chunk is added to place <i>i</i> mod {@value #LANES}. Sums in GF(2^8) are XORs, and the codes are
 * linear and treat all bytes of a chunk alike. So the digests of the units of a stripe are a
 * codeword if the units are. If they are not, the digests are none either, unless the differences
 * cancel each other in every place, which a single wrong byte cannot. The digest says nothing about
 * accidental changes that a CRC would not find, too; it tells whether parity belongs to its data,
 * which a CRC cannot. A digest may be taken of a random window of each row only: code that computes
 * wrong parity is found by that as well. Not safe for concurrent use; updates must be ordered among
 * threads.
 */
public final class UnitDigest {
  private static final int WORDS = 7;

  /**
   * No power of two, as lengths and patterns are: else the same difference in all bytes of a chunk
   * would be added an even number of times in every place, and cancel out.
   */
  private static final int LANES = WORDS * Long.BYTES;

  private static final int PARTS = 8;
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
   * Creates a digest of a random window of each row, an eighth of its chunks. Rows of short chunks
   * are summed up as a whole.
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
    for (; position < end; position += LANES) {
      a ^= bytes.getLong(position);
      b ^= bytes.getLong(position + 8);
      c ^= bytes.getLong(position + 16);
      d ^= bytes.getLong(position + 24);
      e ^= bytes.getLong(position + 32);
      f ^= bytes.getLong(position + 40);
      g ^= bytes.getLong(position + 48);
    }
    sums[first] ^= a;
    sums[first + 1] ^= b;
    sums[first + 2] ^= c;
    sums[first + 3] ^= d;
    sums[first + 4] ^= e;
    sums[first + 5] ^= f;
    sums[first + 6] ^= g;
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
