// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.kernel.PreparedMatrix;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The weights by which the read chunks sum up to the rebuilt ones. */
final class LinearRecipe implements RebuildRecipe {
  // Of up to α chunks of some lost units, readers ask for few combinations again and again.
  private static final int CACHED_PARTS = 64;

  private final int subUnits;
  private final List<Chunk> reads;
  private final List<Chunk> rebuilt;
  private final PreparedMatrix weights;
  private final UnitSet lost;
  private final UnitSet helpers;
  private final ReadCost cost;
  private final Function<List<Chunk>, LinearRecipe> anew;
  private final BoundedCache<List<Chunk>, LinearRecipe> parts = new BoundedCache<>(CACHED_PARTS);

  /**
   * @param rebuilt in ascending order, one for each row of {@code weights}
   * @param reads in ascending order, one for each column; those that no row needs are left out
   * @param cost by which this recipe was chosen
   * @param anew the recipe that would be chosen if only the given of its chunks were wanted
   */
  LinearRecipe(
      int subUnits,
      List<Chunk> rebuilt,
      List<Chunk> reads,
      CodingMatrix weights,
      ReadCost cost,
      Function<List<Chunk>, LinearRecipe> anew) {
    int[] needed =
        IntStream.range(0, weights.columns())
            .filter(
                column ->
                    IntStream.range(0, weights.rows())
                        .anyMatch(row -> weights.get(row, column) != 0))
            .toArray();
    this.subUnits = subUnits;
    this.cost = cost;
    this.anew = anew;
    this.rebuilt = List.copyOf(rebuilt);
    this.reads = IntStream.of(needed).mapToObj(reads::get).toList();
    this.weights =
        new PreparedMatrix(
            CodingMatrix.of(
                needed.length,
                IntStream.range(0, weights.rows())
                    .mapToObj(row -> IntStream.of(needed).map(c -> weights.get(row, c)).toArray())
                    .toArray(int[][]::new)));
    this.lost = units(this.rebuilt);
    this.helpers = units(this.reads);
  }

  @Override
  public UnitSet lost() {
    return lost;
  }

  @Override
  public UnitSet helpers() {
    return helpers;
  }

  @Override
  public List<Chunk> reads() {
    return reads;
  }

  @Override
  public long bytesRead(int unit, long length, long stripeLength, RowLayout layout) {
    if (layout.subUnits() != subUnits) {
      throw new IllegalArgumentException(
          "Rows of this codec have %d sub-units, but the layout has %d"
              .formatted(subUnits, layout.subUnits()));
    }
    if (length < 0 || length > stripeLength) {
      throw new IllegalArgumentException(
          "A unit of %d bytes does not fit a stripe of %d".formatted(length, stripeLength));
    }
    long fullRows = stripeLength / layout.rowBytes();
    // Before this row the unit fills every row; of later ones it has nothing.
    long row = Math.min(length / layout.rowBytes(), fullRows);
    long bytes = 0;
    for (Chunk read : reads) {
      if (read.unit() == unit) {
        bytes += row * layout.chunk();
        if (row < layout.rows(stripeLength)) {
          long rest = length - layout.offset(row, read.subUnit(), stripeLength);
          bytes += Math.max(0, Math.min(rest, layout.chunkLength(row, stripeLength)));
        }
      }
    }
    return bytes;
  }

  @Override
  public void rebuild(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    if (inputs.length != reads.size() || outputs.length != rebuilt.size()) {
      throw new IllegalArgumentException(
          "This recipe has %d inputs and %d outputs, but got %d and %d"
              .formatted(reads.size(), rebuilt.size(), inputs.length, outputs.length));
    }
    Buffers.check(inputs, outputs);
    weights.multiply(inputs, outputs);
  }

  @Override
  public RebuildRecipe only(List<Chunk> wanted) {
    List<Chunk> ascending = wanted.stream().sorted().distinct().toList();
    if (!rebuilt.containsAll(ascending)) {
      throw new IllegalArgumentException(
          "This recipe rebuilds %s, which is not all of %s".formatted(rebuilt, wanted));
    }
    return ascending.equals(rebuilt) ? this : parts.get(ascending, this::part);
  }

  /** What of this recipe the chunks need, or a recipe of their own where that reads less. */
  private LinearRecipe part(List<Chunk> ascending) {
    int[][] rows =
        ascending.stream()
            .map(chunk -> weights.matrix().row(rebuilt.indexOf(chunk)))
            .toArray(int[][]::new);
    LinearRecipe part =
        new LinearRecipe(
            subUnits, ascending, reads, CodingMatrix.of(reads.size(), rows), cost, anew);
    LinearRecipe own = anew.apply(ascending);
    return own.price() < part.price() ? own : part;
  }

  private double price() {
    return reads.stream().mapToDouble(read -> cost.perByte(read.unit())).sum();
  }

  private static UnitSet units(List<Chunk> chunks) {
    return UnitSet.of(chunks.stream().mapToInt(Chunk::unit));
  }

  @Override
  public String toString() {
    return "rebuild %s from %s".formatted(rebuilt, Arrays.toString(reads.toArray()));
  }
}
