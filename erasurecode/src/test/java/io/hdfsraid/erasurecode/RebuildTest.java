package io.hdfsraid.erasurecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
  void aCodecWithOneWrongParityBitIsCaught() {
    assertThatThrownBy(() -> rebuildAllPatterns(new OneWrongBit(Codecs.parse("rs-6-3")), 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rs-6-3 lost");
  }

  /** How many patterns of at most {@code most} losses were rebuilt. */
  private static int rebuildAllPatterns(ErasureCodec codec, int most) {
    int[] lengths = IntStream.generate(() -> LENGTH).limit(codec.shape().dataUnits()).toArray();
    Stripe stripe = Stripe.encode(codec, 16, new Random(42), lengths);
    UnitSet all = UnitSet.all(codec.shape());
    int rebuilt = 0;
    for (UnitSet lost : patterns(codec, most).toList()) {
      Optional<RebuildRecipe> recipe = codec.recipe(lost, all.minus(lost), ReadCost.UNIFORM);
      assertThat(recipe.isPresent())
          .as("%s lost %s", codec.name(), lost)
          .isEqualTo(codec.furtherLosses(lost) >= 0);
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

  /** The lowest bit of the first parity byte of each row is wrong. */
  private record OneWrongBit(ErasureCodec right) implements ErasureCodec {
    @Override
    public String name() {
      return right.name();
    }

    @Override
    public StripeShape shape() {
      return right.shape();
    }

    @Override
    public int subUnits() {
      return right.subUnits();
    }

    @Override
    public long parityLength(long longest) {
      return right.parityLength(longest);
    }

    @Override
    public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
      right.encode(data, parity);
      int first = parity[0].position();
      parity[0].put(first, (byte) (parity[0].get(first) ^ 1));
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
