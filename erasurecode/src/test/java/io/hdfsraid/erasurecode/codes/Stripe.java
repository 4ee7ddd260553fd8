// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A stripe in memory, encoded and rebuilt row by row as it would be on HDFS. Data units are of
 * different lengths where asked for; beyond its end a unit reads as zeros.
 */
final class Stripe {
  private final ErasureCodec codec;
  private final RowLayout layout;
  private final long length;
  private final byte[][] units;

  private Stripe(ErasureCodec codec, RowLayout layout, long length, byte[][] units) {
    this.codec = codec;
    this.layout = layout;
    this.length = length;
    this.units = units;
  }

  /**
   * A stripe of random data.
   *
   * @param lengths of the data units
   */
  static Stripe encode(ErasureCodec codec, int chunk, Random random, int... lengths) {
    long stripeLength = codec.parityLength(IntStream.of(lengths).max().orElseThrow());
    byte[][] units = new byte[codec.shape().units()][];
    for (int unit = 0; unit < units.length; unit++) {
      boolean parity = codec.shape().isParity(unit);
      units[unit] = new byte[parity ? (int) stripeLength : lengths[unit]];
      random.nextBytes(units[unit]);
    }
    Stripe stripe = new Stripe(codec, new RowLayout(codec.subUnits(), chunk), stripeLength, units);
    stripe.encode();
    return stripe;
  }

  private void encode() {
    int data = codec.shape().dataUnits();
    for (long row = 0; row < layout.rows(length); row++) {
      int offset = (int) layout.offset(row, 0, length);
      int rowBytes = layout.chunkLength(row, length) * layout.subUnits();
      ByteBuffer[] inputs = new ByteBuffer[data];
      Arrays.setAll(inputs, unit -> ByteBuffer.wrap(bytes(unit, offset, rowBytes)));
      ByteBuffer[] parity = new ByteBuffer[codec.shape().parityUnits()];
      Arrays.setAll(parity, i -> ByteBuffer.wrap(units[data + i], offset, rowBytes));
      codec.encode(inputs, parity);
    }
  }

  RowLayout layout() {
    return layout;
  }

  long length() {
    return length;
  }

  long unitLength(int unit) {
    return units[unit].length;
  }

  byte[] unit(int unit) {
    return units[unit].clone();
  }

  /** Fails unless the recipe returns the bytes of every unit it rebuilds. */
  void assertRebuiltBy(RebuildRecipe recipe, String description) {
    List<Chunk> lost =
        recipe.lost().stream()
            .boxed()
            .flatMap(
                unit -> IntStream.range(0, codec.subUnits()).mapToObj(sub -> new Chunk(unit, sub)))
            .toList();
    assertChunksRebuiltBy(recipe, lost, description);
  }

  /** Fails unless the recipe, which rebuilds these chunks, returns their bytes. */
  void assertChunksRebuiltBy(RebuildRecipe recipe, List<Chunk> rebuilt, String description) {
    for (long row = 0; row < layout.rows(length); row++) {
      int chunk = layout.chunkLength(row, length);
      ByteBuffer[] outputs = new ByteBuffer[rebuilt.size()];
      Arrays.setAll(outputs, i -> ByteBuffer.allocate(chunk));
      recipe.rebuild(chunks(recipe.reads(), row, chunk), outputs);
      ByteBuffer[] expected = chunks(rebuilt, row, chunk);
      // Thousands of patterns: words are only needed for the one that fails.
      if (!Arrays.equals(outputs, expected)) {
        assertThat(outputs)
            .as("%s: row %d rebuilt from %s", description, row, recipe.helpers())
            .isEqualTo(expected);
      }
    }
  }

  /** The bytes of the given chunks of one row. */
  ByteBuffer[] chunks(List<Chunk> chunks, long row, int chunkLength) {
    return chunks.stream()
        .map(
            chunk ->
                ByteBuffer.wrap(
                    bytes(
                        chunk.unit(),
                        (int) layout.offset(row, chunk.subUnit(), length),
                        chunkLength)))
        .toArray(ByteBuffer[]::new);
  }

  private byte[] bytes(int unit, int offset, int count) {
    byte[] bytes = new byte[count];
    int held = Math.max(0, Math.min(count, units[unit].length - offset));
    System.arraycopy(units[unit], Math.min(offset, units[unit].length), bytes, 0, held);
    return bytes;
  }
}
