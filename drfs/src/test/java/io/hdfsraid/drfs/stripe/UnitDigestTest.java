// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitDigestTest {
  private static final int LANES = 64;

  /** A kernel that adds a constant makes such differences; lengths are often powers of two. */
  @Test
  void theSameDifferenceInEachByteDoesNotCancelOut() {
    for (int chunk : new int[] {64, 1 << 10, 4 << 10, 8 << 10}) {
      RowLayout layout = new RowLayout(1, chunk);
      for (int length = 1; length <= 64 << 10; length += length < 4096 ? 1 : 4096) {
        byte[] ones = new byte[length];
        Arrays.fill(ones, (byte) 1);
        UnitDigest digest = UnitDigest.of(layout, length);
        digest.add(0, ByteBuffer.wrap(ones));
        assertThat(digest.row())
            .as("%d bytes in rows of %d", length, chunk)
            .isNotEqualTo(ByteBuffer.allocate(LANES));
      }
    }
  }

  /** However the bytes are handed over, and whatever kind of buffer they are in. */
  @ParameterizedTest
  @CsvSource({
    "1, 1000, 10000",
    "1, 100000, 250001",
    "4, 9000, 100000",
    "3, 100, 999",
    "2, 64, 129"
  })
  void theDigestIsThatOfTheBytesAndNotOfThePieces(int subUnits, int chunk, int length) {
    RowLayout layout = new RowLayout(subUnits, chunk);
    long stripe = (long) length + (subUnits - length % subUnits) % subUnits;
    byte[] bytes = new byte[length];
    Random random = new Random(length);
    random.nextBytes(bytes);
    UnitDigest whole = UnitDigest.of(layout, stripe);
    UnitDigest pieces = UnitDigest.of(layout, stripe);
    UnitDigest windows = UnitDigest.ofWindows(layout, stripe, 5);
    UnitDigest windowPieces = UnitDigest.ofWindows(layout, stripe, 5);

    whole.add(0, ByteBuffer.wrap(bytes));
    windows.add(0, ByteBuffer.allocateDirect(length).put(bytes).flip());
    for (int from = 0; from < length; ) {
      int count = Math.min(length - from, 1 + random.nextInt(700));
      pieces.add(from, ByteBuffer.wrap(bytes, from, count));
      windowPieces.add(from, ByteBuffer.wrap(bytes, from, count));
      from += count;
    }

    assertThat(pieces.row()).isEqualTo(whole.row());
    assertThat(windowPieces.row()).isEqualTo(windows.row());
    byte[] expected = new byte[subUnits * LANES];
    for (int i = 0; i < length; i++) {
      long row = i / layout.rowBytes();
      int chunkLength = layout.chunkLength(row, stripe);
      int inRow = (int) (i - row * layout.rowBytes());
      int inChunk = inRow % chunkLength;
      int inverse = Gf256.power(2, (int) (101 * row + inChunk / LANES));
      expected[inRow / chunkLength * LANES + inChunk % LANES] ^=
          (byte) Gf256.multiply(Gf256.inverse(inverse), bytes[i] & 0xFF);
    }
    assertThat(whole.row().array()).isEqualTo(expected);
  }

  @Test
  void windowsAreOfTheSameBytesInAllUnitsAndOfOthersInEachStripe() {
    RowLayout layout = new RowLayout(1, 256 << 10);
    int length = 1 << 20;
    long[] different = new long[2];
    for (int at = 0; at < length; at += 1_001) {
      ByteBuffer one = ByteBuffer.allocate(length).put(at, (byte) 1);
      boolean[] seen = new boolean[2];
      for (int seed = 0; seed < 2; seed++) {
        UnitDigest digest = UnitDigest.ofWindows(layout, length, 1_000L * seed);
        UnitDigest again = UnitDigest.ofWindows(layout, length, 1_000L * seed);
        digest.add(0, one);
        again.add(0, one);
        assertThat(digest.row()).isEqualTo(again.row());
        seen[seed] = !digest.row().equals(ByteBuffer.allocate(LANES));
        different[seed] += seen[seed] ? 1 : 0;
      }
    }
    assertThat(different[0]).as("a thirty-second of 1,048 places").isBetween(20L, 46L);
    assertThat(different[1]).isBetween(20L, 46L);
  }
}
