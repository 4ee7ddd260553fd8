// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.RaidedFile;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stripes of codes whose rows have several chunks, through several rows with ragged tails: written,
 * rebuilt and read in part. The code itself is the library's matter; here it is that every chunk
 * comes from, and goes to, where the layout says.
 */
class SubPacketisedStripeTest extends StripeFixture {
  private static final int CHUNK = 101;
  private static final int BLOCK = 1_000;

  @ParameterizedTest(name = "{0}, {1} bytes")
  @CsvSource({
    "less-6-3, 6000",
    "less-6-3, 5001",
    "less-6-3, 1",
    "less-10-4, 9207",
    "hitchhiker-6-3, 5433",
    "hitchhiker-10-4, 9207",
    "crs-good-6-3, 5999",
    "crs-good-6-3, 1203",
    "crs-original-10-4, 8001"
  })
  void theParityIsWhatTheCodecMakesOfEachRow(String name, int length) throws IOException {
    ErasureCodec codec = Codecs.parse(name);
    LocatedStripe stripe = raid(codec, length);
    RowLayout layout = stripe.layout();
    long from = 0;
    while (from < stripe.stripeLength()) {
      long rest = stripe.stripeLength() - from;
      int row = (int) Math.min(layout.rowBytes(), rest);
      assertThat(row % codec.subUnits()).isZero();
      ByteBuffer[] data = units(stripe, 0, codec.shape().dataUnits(), from, row);
      ByteBuffer[] parity =
          IntStream.range(0, codec.shape().parityUnits())
              .mapToObj(p -> ByteBuffer.allocate(row))
              .toArray(ByteBuffer[]::new);
      codec.encode(data, parity);
      assertThat(units(stripe, codec.shape().dataUnits(), codec.shape().units(), from, row))
          .as("row at %d", from)
          .isEqualTo(parity);
      from += row;
    }
  }

  /** These bytes of units {@code first} to {@code end}, zeros where they have none. */
  private ByteBuffer[] units(LocatedStripe stripe, int first, int end, long from, int length)
      throws IOException {
    ByteBuffer[] buffers = new ByteBuffer[end - first];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = ByteBuffer.allocate(length);
      byte[] unit = onDisk(stripe.unit(first + i));
      int own = (int) Math.max(0, Math.min(length, unit.length - from));
      if (own > 0) {
        buffers[i].put(0, unit, (int) from, own);
      }
    }
    return buffers;
  }

  @ParameterizedTest(name = "{0}, {1} bytes")
  @CsvSource({
    "less-6-3, 5433",
    "less-6-3, 3002",
    "less-6-3, 2",
    "hitchhiker-6-3, 5433",
    "hitchhiker-6-3, 1003",
    "crs-good-6-3, 5433",
    "crs-good-6-3, 1001"
  })
  void everyPatternOfLossesIsRebuiltFromJustTheBytesOfItsRecipe(String name, int length)
      throws IOException {
    LocatedStripe stripe = raid(Codecs.parse(name), length);
    for (UnitSet lost : patterns(stripe)) {
      RebuildRecipe recipe = recipe(stripe, lost).orElseThrow();
      cluster.resetCounts();
      Map<Integer, ByteArrayOutputStream> rebuilt = new TreeMap<>();
      RebuiltStripe result =
          rebuilder.rebuild(stripe, recipe, () -> sinks(rebuilt, lost), read -> {});
      assertThat(result.contradicted(stripe)).as("lost %s", lost).isEqualTo(UnitSet.none());
      for (int unit : lost.toArray()) {
        assertThat(rebuilt.get(unit).toByteArray())
            .as("unit %d after losing %s", unit, lost)
            .isEqualTo(onDisk(stripe.unit(unit)));
      }
      for (StripeUnit unit : stripe.units()) {
        long promised =
            recipe.bytesRead(unit.unit(), unit.length(), stripe.stripeLength(), stripe.layout());
        assertThat(result.reads().bytes().getOrDefault(unit.unit(), 0L))
            .as("bytes of unit %d after losing %s", unit.unit(), lost)
            .isEqualTo(promised);
        assertThat(cluster.bytesRead(cluster.node(unit.unit())))
            .as("bytes of node %d after losing %s", unit.unit(), lost)
            .isEqualTo(promised + unit.length() * (lost.contains(unit.unit()) ? 1 : 0));
      }
    }
  }

  private static List<UnitSet> patterns(LocatedStripe stripe) {
    int[] present = stripe.available().minus(stripe.absent()).toArray();
    List<UnitSet> patterns = new ArrayList<>();
    for (int bits = 1; bits < 1 << present.length; bits++) {
      int pattern = bits;
      UnitSet lost =
          UnitSet.of(
              IntStream.range(0, present.length)
                  .filter(i -> (pattern >> i & 1) != 0)
                  .map(i -> present[i]));
      if (stripe.codec().furtherLosses(lost) >= 0) {
        patterns.add(lost);
      }
    }
    return patterns;
  }

  @ParameterizedTest
  @ValueSource(strings = {"less-6-3", "hitchhiker-6-3", "crs-good-6-3"})
  void everyRangeAroundTheBordersOfChunksIsReadAsItWasWritten(String name) throws IOException {
    ErasureCodec codec = Codecs.parse(name);
    LocatedStripe stripe = raid(codec, 5 * BLOCK + 617);
    TreeSet<Integer> borders = new TreeSet<>(List.of(0, 1, BLOCK - 1, BLOCK));
    for (long row = 0; row < stripe.layout().rows(stripe.stripeLength()); row++) {
      for (int j = 0; j < codec.subUnits(); j++) {
        int start = (int) stripe.layout().offset(row, j, stripe.stripeLength());
        borders.add(start);
        borders.add(start + 37);
      }
    }
    // A data unit, the ragged one, and parity.
    for (int unit : new int[] {1, 5, codec.shape().dataUnits()}) {
      byte[] content = onDisk(stripe.unit(unit));
      for (int from : borders.headSet(content.length)) {
        for (int to : borders.subSet(from + 1, content.length + 1)) {
          ByteBuffer target = ByteBuffer.allocate(to - from + 5).position(3);
          target.limit(3 + to - from);
          cluster.resetCounts();
          HelperReads reads = rebuilder.read(stripe, unit, from, target, ReadCost.UNIFORM);
          assertThat(target.remaining()).isZero();
          assertThat(target.flip().position(3))
              .as("unit %d from %d to %d", unit, from, to)
              .isEqualTo(ByteBuffer.wrap(content, from, to - from));
          assertThat(totalBytes(reads)).isEqualTo(cluster.bytesRead());
        }
      }
    }
  }

  /** Whole units in one go; of a unit of which a row gives one chunk, each chunk on its own. */
  @ParameterizedTest
  @ValueSource(strings = {"less-6-3", "less-10-4", "hitchhiker-10-4", "crs-good-6-3"})
  void aHelperIsOpenedOnceForEachPieceThatTheRecipeReads(String name) throws IOException {
    ErasureCodec codec = Codecs.parse(name);
    LocatedStripe stripe = raid(codec, codec.shape().dataUnits() * BLOCK);
    for (int unit = 0; unit < codec.shape().units(); unit++) {
      UnitSet lost = UnitSet.of(unit);
      RebuildRecipe recipe = recipe(stripe, lost).orElseThrow();
      cluster.resetCounts();
      rebuilder.rebuild(stripe, recipe, () -> sinks(new TreeMap<>(), lost), read -> {});
      assertThat(cluster.opens())
          .as("lost %d", unit)
          .isEqualTo(recipe.helpers().stream().map(helper -> pieces(stripe, recipe, helper)).sum());
    }
  }

  private static int pieces(LocatedStripe stripe, RebuildRecipe recipe, int helper) {
    BitSet wanted = new BitSet();
    for (long row = 0; row < stripe.layout().rows(stripe.stripeLength()); row++) {
      for (Chunk chunk : recipe.reads()) {
        if (chunk.unit() == helper) {
          long from = stripe.layout().offset(row, chunk.subUnit(), stripe.stripeLength());
          long to = from + stripe.layout().chunkLength(row, stripe.stripeLength());
          long end = Math.min(to, stripe.unit(helper).length());
          wanted.set((int) Math.min(from, end), (int) end);
        }
      }
    }
    int pieces = 0;
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(wanted.nextClearBit(i))) {
      pieces++;
    }
    return pieces;
  }

  private LocatedStripe raid(ErasureCodec codec, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    RaidedFile file = RaidedFile.create(cluster, "/f", BLOCK, bytes, codec, CHUNK, threads);
    return file.stripes().get(0);
  }
}
