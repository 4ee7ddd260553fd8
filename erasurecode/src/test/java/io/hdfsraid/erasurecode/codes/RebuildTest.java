// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.Consistency;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.UnitSet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RebuildTest {
  private static final int LENGTH = 37;

  static List<ErasureCodec> codecs() {
    return Codecs.all();
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void everyLossThatRankSaysCanBeBorneIsRebuiltByteForByte(ErasureCodec codec) {
    assertThat(rebuildAllPatterns(codec, 4)).isPositive();
  }

  @Test
  void rs104RebuildsAll1470PatternsOfUpToFourLosses() {
    assertThat(rebuildAllPatterns(Codecs.parse("rs-10-4"), 4)).isEqualTo(1470);
  }

  @Test
  void rs63RebuildsAll129PatternsOfUpToThreeLosses() {
    assertThat(rebuildAllPatterns(Codecs.parse("rs-6-3"), 3)).isEqualTo(129);
  }

  @Test
  void xorbasRebuildsAll2516PatternsOfUpToFourLosses() {
    assertThat(rebuildAllPatterns(Codecs.parse("lrc-xorbas-10-6"), 4)).isEqualTo(2516);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  @Tag("full")
  void everyLossOfUpToOneMoreUnitThanThereIsParityIsRebuiltOrRefused(ErasureCodec codec) {
    assertThat(rebuildAllPatterns(codec, codec.shape().units())).isPositive();
  }

  /** As of HDFS-16422, where readers shared a decoder that was not meant to be shared. */
  @ParameterizedTest
  @MethodSource("codecs")
  void oneCodecServesManyThreadsAtOnce(ErasureCodec codec) {
    int[] lengths = IntStream.generate(() -> 1_000).limit(codec.shape().dataUnits()).toArray();
    Stripe stripe = Stripe.encode(codec, 128, new Random(5), lengths);
    List<UnitSet> losses = patterns(codec, 1).toList();
    RebuildRecipe shared = recipe(codec, losses.get(0));
    IntStream.range(0, 24)
        .parallel()
        .forEach(
            turn -> {
              stripe.assertRebuiltBy(shared, codec.name() + " by one recipe");
              UnitSet lost = losses.get(turn % losses.size());
              stripe.assertRebuiltBy(recipe(codec, lost), codec.name() + " lost " + lost);
            });
  }

  /** Tails of the data units lie in different rows, inside of chunks and at their edges. */
  @ParameterizedTest
  @MethodSource("codecs")
  void raggedTailsAreRebuiltAsZerosBeyondTheirEnd(ErasureCodec codec) {
    Random random = new Random(3);
    for (int round = 0; round < 20; round++) {
      int chunk = 1 + random.nextInt(20);
      int[] lengths = random.ints(codec.shape().dataUnits(), 0, 90).toArray();
      lengths[round % lengths.length] = 0;
      Stripe stripe = Stripe.encode(codec, chunk, random, lengths);
      UnitSet all = UnitSet.all(codec.shape());
      for (int unit : all.toArray()) {
        RebuildRecipe recipe =
            codec.recipe(UnitSet.of(unit), all.without(unit), ReadCost.UNIFORM).orElseThrow();
        stripe.assertRebuiltBy(
            recipe, "%s, chunk %d, lost %d".formatted(codec.name(), chunk, unit));
      }
    }
  }

  @Test
  void encodingLeavesPositionsAndReadsHeapAndDirectBuffersAlike() {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    byte[] bytes = new byte[300];
    new Random(9).nextBytes(bytes);
    ByteBuffer[] data = new ByteBuffer[3];
    for (int i = 0; i < 3; i++) {
      data[i] =
          i == 1
              ? ByteBuffer.allocateDirect(100).put(bytes, 100, 100).flip()
              : ByteBuffer.wrap(bytes, i * 100, 100).asReadOnlyBuffer();
    }
    ByteBuffer direct = ByteBuffer.allocateDirect(110).position(10);
    ByteBuffer heap = ByteBuffer.allocate(100);
    codec.encode(data, new ByteBuffer[] {direct, heap});

    ByteBuffer[] plain = {ByteBuffer.allocate(100), ByteBuffer.allocate(100)};
    ByteBuffer[] heaps = new ByteBuffer[3];
    Arrays.setAll(heaps, i -> ByteBuffer.wrap(bytes, i * 100, 100));
    codec.encode(heaps, plain);
    assertThat(new ByteBuffer[] {direct, heap}).isEqualTo(plain);
    assertThat(direct.position()).isEqualTo(10);
    assertThat(data[2].position()).isEqualTo(200);
  }

  @Test
  void aRowOfNoBytesIsEncodedAndRebuilt() {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    codec.encode(empty(3), empty(2));
    recipe(codec, UnitSet.of(1, 4)).rebuild(empty(3), empty(2));
  }

  @Test
  void buffersThatDoNotFitAreRefused() {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    ByteBuffer[] uneven = {ByteBuffer.allocate(5), ByteBuffer.allocate(4), ByteBuffer.allocate(5)};
    ByteBuffer[] parity = {ByteBuffer.allocate(5), ByteBuffer.allocate(5)};
    assertThatThrownBy(() -> codec.encode(uneven, parity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Input 1 has 4 bytes remaining, but output 0 has 5");
    assertThatThrownBy(() -> codec.encode(parity, parity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rs-3-2 encodes 3 units into 2, but got 2 and 2 buffers");
    assertThatThrownBy(() -> recipe(codec, UnitSet.of(0)).rebuild(parity, parity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("This recipe has 3 inputs and 1 outputs, but got 2 and 2");
  }

  @Test
  void nothingLostNeedsNothing() {
    RebuildRecipe recipe = recipe(Codecs.parse("rs-3-2"), UnitSet.none());
    assertThat(recipe.reads()).isEmpty();
    recipe.rebuild(new ByteBuffer[0], new ByteBuffer[0]);
  }

  @Test
  void aUnitIsNotLostAndAvailableAtOnce() {
    assertThatThrownBy(
            () ->
                Codecs.parse("rs-3-2")
                    .recipe(UnitSet.of(0, 1), UnitSet.range(1, 5), ReadCost.UNIFORM))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Units cannot be both lost {0, 1} and available {1, 2, 3, 4}");
  }

  @Test
  void parityIsAsLongAsTheLongestDataUnit() {
    assertThat(Codecs.parse("rs-6-3").parityLength(0)).isZero();
    assertThat(Codecs.parse("rs-6-3").parityLength(123)).isEqualTo(123);
    assertThatThrownBy(() -> Codecs.parse("rs-6-3").parityLength(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void aCodecWithOneWrongParityBitIsCaught(ErasureCodec codec) {
    for (int parity = 0; parity < codec.shape().parityUnits(); parity++) {
      for (int subUnit = 0; subUnit < codec.subUnits(); subUnit++) {
        ErasureCodec wrong = new OneWrongBit(codec, parity, subUnit);
        assertThatThrownBy(() -> rebuildAllPatterns(wrong, 1))
            .as("parity %d, sub-unit %d", parity, subUnit)
            .isInstanceOf(AssertionError.class)
            .hasMessageContaining(codec.name() + " lost");
      }
    }
  }

  /** How many patterns of at most {@code most} losses were rebuilt. */
  private static int rebuildAllPatterns(ErasureCodec codec, int most) {
    int[] lengths = IntStream.generate(() -> LENGTH).limit(codec.shape().dataUnits()).toArray();
    Stripe stripe = Stripe.encode(codec, 16, new Random(42), lengths);
    UnitSet all = UnitSet.all(codec.shape());
    int rebuilt = 0;
    for (UnitSet lost : patterns(codec, most).toList()) {
      Optional<RebuildRecipe> recipe = codec.recipe(lost, all.minus(lost), ReadCost.UNIFORM);
      if (recipe.isPresent() != codec.furtherLosses(lost) >= 0) {
        throw new AssertionError("%s lost %s: %s".formatted(codec.name(), lost, recipe));
      }
      if (recipe.isPresent()) {
        assertThat(recipe.get().lost()).isEqualTo(lost);
        stripe.assertRebuiltBy(recipe.get(), "%s lost %s".formatted(codec.name(), lost));
        rebuilt++;
      }
    }
    return rebuilt;
  }

  private static Stream<UnitSet> patterns(ErasureCodec codec, int most) {
    return Patterns.upToSize(
        Math.min(most, codec.shape().parityUnits() + 1), codec.shape().units());
  }

  private static ByteBuffer[] empty(int count) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    Arrays.setAll(buffers, i -> ByteBuffer.allocate(0));
    return buffers;
  }

  private static RebuildRecipe recipe(ErasureCodec codec, UnitSet lost) {
    return codec
        .recipe(lost, UnitSet.all(codec.shape()).minus(lost), ReadCost.UNIFORM)
        .orElseThrow();
  }

  /** The lowest bit of the first byte of one parity chunk of each row is wrong. */
  private record OneWrongBit(ErasureCodec right, int parityUnit, int subUnit)
      implements ErasureCodec {
    @Override
    public String name() {
      return right.name();
    }

    @Override
    public StripeShape shape() {
      return right.shape();
    }

    @Override
    public RowLayout layout() {
      return right.layout();
    }

    @Override
    public Consistency verify(ByteBuffer[] units) {
      return right.verify(units);
    }

    @Override
    public long parityLength(long longest) {
      return right.parityLength(longest);
    }

    @Override
    public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
      right.encode(data, parity);
      ByteBuffer unit = parity[parityUnit];
      int first = unit.position() + unit.remaining() / subUnits() * subUnit;
      unit.put(first, (byte) (unit.get(first) ^ 1));
    }

    @Override
    public Optional<RebuildRecipe> recipe(UnitSet lost, UnitSet available, ReadCost cost) {
      return right.recipe(lost, available, cost);
    }

    @Override
    public int furtherLosses(UnitSet lost) {
      return right.furtherLosses(lost);
    }
  }
}
