// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The generic codec with α = 2: LESS (6,4,2), with its local checks and without them. */
class SubPacketisedTest {
  private static final int UNITS = 6;
  private static final int DATA = 4;
  private static final int ALPHA = 2;
  private static final int CHECKS = UNITS - DATA;
  private static final UnitSet ALL = UnitSet.range(0, UNITS);

  private static final ErasureCodec LESS = Codecs.parse("less-4-2");
  private static final ErasureCodec PLAIN =
      new LinearCodec(withoutChecks(((LinearCodec) LESS).code()));

  @Test
  void everyPatternIsBorneThatAnMdsCodeBears() {
    Patterns.upToSize(3, UNITS)
        .forEach(
            lost -> {
              assertThat(LESS.furtherLosses(lost)).isEqualTo(Math.max(-1, 2 - lost.size()));
              for (ErasureCodec codec : List.of(PLAIN, LESS)) {
                assertThat(codec.recipe(lost, ALL.minus(lost), ReadCost.UNIFORM).isPresent())
                    .isEqualTo(lost.size() <= 2);
              }
            });
  }

  @Test
  void everyPatternIsRebuiltByteForByteThroughRowsWithRaggedTails() {
    Random random = new Random(8);
    for (ErasureCodec codec : List.of(PLAIN, LESS)) {
      for (int round = 0; round < 50; round++) {
        int chunk = 1 + random.nextInt(12);
        int[] lengths = random.ints(DATA, 0, 60).toArray();
        Stripe stripe = Stripe.encode(codec, chunk, random, lengths);
        assertThat(stripe.length() % ALPHA).isZero();
        Patterns.upToSize(2, UNITS)
            .forEach(
                lost ->
                    stripe.assertRebuiltBy(
                        recipe(codec, lost), "lost %s, chunk %d".formatted(lost, chunk)));
      }
    }
  }

  @Test
  void withoutLocalChecksALossReadsAllChunksOfAsManyUnitsAsThereAreDataUnits() {
    RebuildRecipe recipe = recipe(PLAIN, UnitSet.of(0));
    assertThat(recipe.helpers().size()).isLessThanOrEqualTo(DATA);
    assertThat(recipe.reads()).hasSizeBetween(5, DATA * ALPHA);
  }

  @Test
  void onlySomeChunksAreRebuiltWhereNoMoreAreWanted() {
    Random random = new Random(1);
    Stripe stripe = Stripe.encode(LESS, 7, random, 28, 28, 20, 27);
    RebuildRecipe whole = recipe(LESS, UnitSet.of(1, 5));
    Chunk wanted = new Chunk(1, 1);
    RebuildRecipe part = whole.only(List.of(wanted));
    assertThat(whole.reads()).containsAll(part.reads());
    for (int row = 0; row < 2; row++) {
      ByteBuffer output = ByteBuffer.allocate(7);
      part.rebuild(stripe.chunks(part.reads(), row, 7), new ByteBuffer[] {output});
      assertThat(output).isEqualTo(stripe.chunks(List.of(wanted), row, 7)[0]);
    }
  }

  @Test
  void bytesReadAreThoseOfTheChunksThatTheUnitHolds() {
    RowLayout layout = new RowLayout(ALPHA, 5);
    List<RebuildRecipe> recipes = new ArrayList<>();
    Patterns.upToSize(2, UNITS).forEach(lost -> recipes.add(recipe(LESS, lost)));
    for (long stripeLength = 0; stripeLength <= 46; stripeLength += ALPHA) {
      for (long length = 0; length <= stripeLength; length++) {
        for (RebuildRecipe recipe : recipes) {
          for (int unit = 0; unit < UNITS; unit++) {
            assertThat(recipe.bytesRead(unit, length, stripeLength, layout))
                .as("%s, unit %d of %d in %d bytes", recipe, unit, length, stripeLength)
                .isEqualTo(byteByByte(recipe, unit, length, stripeLength, layout));
          }
        }
      }
    }
  }

  private static long byteByByte(
      RebuildRecipe recipe, int unit, long length, long stripeLength, RowLayout layout) {
    long bytes = 0;
    for (long row = 0; row < layout.rows(stripeLength); row++) {
      for (Chunk chunk : recipe.reads()) {
        long from = layout.offset(row, chunk.subUnit(), stripeLength);
        long to = from + layout.chunkLength(row, stripeLength);
        for (long at = from; at < to; at++) {
          bytes += chunk.unit() == unit && at < length ? 1 : 0;
        }
      }
    }
    return bytes;
  }

  @Test
  void parityLengthIsAMultipleOfTheSubUnits() {
    assertThat(LESS.parityLength(0)).isZero();
    assertThat(LESS.parityLength(7)).isEqualTo(8);
    assertThat(LESS.parityLength(8)).isEqualTo(8);
  }

  @Test
  void rowsThatCannotBeCutAndForeignLayoutsAreRefused() {
    ByteBuffer[] data = new ByteBuffer[DATA];
    ByteBuffer[] parity = new ByteBuffer[CHECKS];
    Arrays.setAll(data, i -> ByteBuffer.allocate(3));
    Arrays.setAll(parity, i -> ByteBuffer.allocate(3));
    assertThatThrownBy(() -> LESS.encode(data, parity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A row of less-4-2 is cut into 2 chunks, which 3 bytes cannot be");
    assertThatThrownBy(() -> recipe(LESS, UnitSet.of(0)).bytesRead(1, 4, 4, new RowLayout(1, 1024)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Rows of this codec have 2 sub-units, but the layout has 1");
  }

  private static RebuildRecipe recipe(ErasureCodec codec, UnitSet lost) {
    return codec.recipe(lost, ALL.minus(lost), ReadCost.UNIFORM).orElseThrow();
  }

  private static LinearCode withoutChecks(LinearCode code) {
    return new LinearCode(
        code.name(), code.source(), code.shape(), code.layout(), code.steps(), List.of(), true);
  }
}
