package io.hdfsraid.erasurecode;

import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;

/** Carries out any {@link LinearCode}. */
final class LinearCodec implements ErasureCodec {
  private static final int CACHED = 4096;

  private final LinearCode code;
  private final BoundedCache<LossPattern, Optional<RebuildRecipe>> recipes =
      new BoundedCache<>(CACHED);
  private final BoundedCache<UnitSet, Integer> furtherLosses = new BoundedCache<>(CACHED);

  LinearCodec(LinearCode code) {
    this.code = code;
  }

  LinearCode code() {
    return code;
  }

  @Override
  public String name() {
    return code.name();
  }

  @Override
  public String source() {
    return code.source();
  }

  @Override
  public StripeShape shape() {
    return code.shape();
  }

  @Override
  public int subUnits() {
    return code.subUnits();
  }

  @Override
  public long parityLength(long longest) {
    if (longest < 0) {
      throw new IllegalArgumentException("A unit cannot have %d bytes".formatted(longest));
    }
    long beyond = longest % subUnits();
    return beyond == 0 ? longest : Math.addExact(longest, subUnits() - beyond);
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    if (data.length != shape().dataUnits() || parity.length != shape().parityUnits()) {
      throw new IllegalArgumentException(
          "%s encodes %d units into %d, but got %d and %d buffers"
              .formatted(
                  name(), shape().dataUnits(), shape().parityUnits(), data.length, parity.length));
    }
    Buffers.checkSameRemaining(data, parity);
    if (parity[0].remaining() % subUnits() != 0) {
      throw new IllegalArgumentException(
          "A row of %s is cut into %d chunks, which %d bytes cannot be"
              .formatted(name(), subUnits(), parity[0].remaining()));
    }
    Kernels.fastest().multiply(code.parity(), chunks(data), chunks(parity));
  }

  private ByteBuffer[] chunks(ByteBuffer[] units) {
    if (subUnits() == 1) {
      return units;
    }
    ByteBuffer[] chunks = new ByteBuffer[units.length * subUnits()];
    for (int i = 0; i < chunks.length; i++) {
      ByteBuffer unit = units[i / subUnits()];
      int length = unit.remaining() / subUnits();
      chunks[i] = unit.slice(unit.position() + i % subUnits() * length, length);
    }
    return chunks;
  }

  @Override
  public Optional<RebuildRecipe> recipe(UnitSet lost, UnitSet available, ReadCost cost) {
    checkUnits(lost);
    checkUnits(available);
    if (lost.intersects(available)) {
      throw new IllegalArgumentException(
          "Units cannot be both lost %s and available %s".formatted(lost, available));
    }
    return cost == ReadCost.UNIFORM
        ? recipes.get(new LossPattern(lost, available), pattern -> plan(lost, available, cost))
        : plan(lost, available, cost);
  }

  private Optional<RebuildRecipe> plan(UnitSet lost, UnitSet available, ReadCost cost) {
    return RecipePlanner.cheapest(code, lost, available, cost).map(this::recipe);
  }

  private RebuildRecipe recipe(SortedMap<Integer, int[]> weights) {
    List<Chunk> rebuilt = new ArrayList<>();
    weights.keySet().forEach(chunk -> rebuilt.add(chunk(chunk)));
    List<Chunk> all = IntStream.range(0, code.chunks()).mapToObj(this::chunk).toList();
    return new LinearRecipe(
        subUnits(),
        rebuilt,
        all,
        CodingMatrix.of(code.chunks(), weights.values().toArray(int[][]::new)));
  }

  private Chunk chunk(int number) {
    return new Chunk(number / subUnits(), number % subUnits());
  }

  @Override
  public int furtherLosses(UnitSet lost) {
    checkUnits(lost);
    return furtherLosses.get(lost, pattern -> LossTolerance.furtherLosses(code, pattern));
  }

  private void checkUnits(UnitSet units) {
    if (!UnitSet.all(shape()).containsAll(units)) {
      throw new IllegalArgumentException(
          "%s has units 0 to %d, but got %s".formatted(name(), shape().units() - 1, units));
    }
  }

  @Override
  public String toString() {
    return name();
  }

  private record LossPattern(UnitSet lost, UnitSet available) {}
}
