// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.Consistency;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.UnitSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The smallest code with α = 2: two data units (a, b) and (c, d), and one parity unit (a + d, b +
 * c). One loss is rebuilt, from whole units; and chunk a alone from half of two, which a repair of
 * ranges must make use of. Everything is a sum, so a recipe is a list of lists.
 */
final class TwoSubUnitCodec implements ErasureCodec {
  private static final int ALPHA = 2;

  /** For each chunk, in order of unit and sub-unit, the two it is the sum of. */
  private static final List<List<Chunk>> SUMS =
      List.of(
          List.of(new Chunk(1, 1), new Chunk(2, 0)),
          List.of(new Chunk(1, 0), new Chunk(2, 1)),
          List.of(new Chunk(0, 1), new Chunk(2, 1)),
          List.of(new Chunk(0, 0), new Chunk(2, 0)),
          List.of(new Chunk(0, 0), new Chunk(1, 1)),
          List.of(new Chunk(0, 1), new Chunk(1, 0)));

  @Override
  public String name() {
    return "two-sub-units";
  }

  @Override
  public StripeShape shape() {
    return new StripeShape(2, 1);
  }

  @Override
  public RowLayout layout() {
    return new RowLayout(ALPHA, RowLayout.DEFAULT_CHUNK);
  }

  @Override
  public Consistency verify(ByteBuffer[] units) {
    int k = shape().dataUnits();
    ByteBuffer[] parity = new ByteBuffer[shape().parityUnits()];
    boolean fits = true;
    Arrays.setAll(parity, p -> ByteBuffer.allocate(units[0].remaining()));
    encode(Arrays.copyOf(units, k), parity);
    for (int p = 0; p < parity.length; p++) {
      fits &= parity[p].equals(units[k + p]);
    }
    return new Consistency(
        fits ? Consistency.Verdict.CODEWORD : Consistency.Verdict.WRONG,
        UnitSet.none(),
        UnitSet.none());
  }

  @Override
  public long parityLength(long longest) {
    return longest + longest % ALPHA;
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    int chunk = parity[0].remaining() / ALPHA;
    for (int i = 0; i < chunk; i++) {
      put(parity[0], i, get(data[0], i) ^ get(data[1], chunk + i));
      put(parity[0], chunk + i, get(data[0], chunk + i) ^ get(data[1], i));
    }
  }

  @Override
  public Optional<RebuildRecipe> recipe(UnitSet lost, UnitSet available, ReadCost cost) {
    if (lost.size() != 1 || !available.containsAll(UnitSet.all(shape()).minus(lost))) {
      return Optional.empty();
    }
    int unit = lost.toArray()[0];
    return Optional.of(
        new Recipe(
            IntStream.range(0, ALPHA).mapToObj(subUnit -> new Chunk(unit, subUnit)).toList()));
  }

  @Override
  public int furtherLosses(UnitSet lost) {
    return 1 - lost.size();
  }

  private static byte get(ByteBuffer buffer, int index) {
    return buffer.get(buffer.position() + index);
  }

  private static void put(ByteBuffer buffer, int index, int value) {
    buffer.put(buffer.position() + index, (byte) value);
  }

  private record Recipe(List<Chunk> rebuilt) implements RebuildRecipe {
    @Override
    public UnitSet lost() {
      return UnitSet.of(rebuilt.stream().mapToInt(Chunk::unit));
    }

    @Override
    public UnitSet helpers() {
      return UnitSet.of(reads().stream().mapToInt(Chunk::unit));
    }

    @Override
    public List<Chunk> reads() {
      return rebuilt.stream().flatMap(chunk -> sum(chunk).stream()).sorted().distinct().toList();
    }

    private static List<Chunk> sum(Chunk chunk) {
      return SUMS.get(chunk.unit() * ALPHA + chunk.subUnit());
    }

    @Override
    public long bytesRead(int unit, long length, long stripeLength, RowLayout layout) {
      throw new UnsupportedOperationException("not needed here");
    }

    @Override
    public void rebuild(ByteBuffer[] inputs, ByteBuffer[] outputs) {
      List<Chunk> reads = new ArrayList<>(reads());
      for (int o = 0; o < outputs.length; o++) {
        ByteBuffer one = inputs[reads.indexOf(sum(rebuilt.get(o)).get(0))];
        ByteBuffer two = inputs[reads.indexOf(sum(rebuilt.get(o)).get(1))];
        for (int i = 0; i < outputs[o].remaining(); i++) {
          put(outputs[o], i, get(one, i) ^ get(two, i));
        }
      }
    }

    @Override
    public RebuildRecipe only(List<Chunk> wanted) {
      return new Recipe(wanted.stream().sorted().toList());
    }
  }
}
