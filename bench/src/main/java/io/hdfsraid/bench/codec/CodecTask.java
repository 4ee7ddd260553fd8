// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.bench.measure.Task;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.UnitSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Encodes or rebuilds one row with a codec of ours. The kernel is set before each slice. */
final class CodecTask implements Task {
  private final String name;
  private final CodecUnits units;
  private final Runnable kernel;
  private final long bytesRead;
  private final Runnable work;
  private final int[] results;

  private CodecTask(
      String name,
      CodecUnits units,
      Runnable kernel,
      long bytesRead,
      Runnable work,
      int... results) {
    this.name = name;
    this.units = units;
    this.kernel = kernel;
    this.bytesRead = bytesRead;
    this.work = work;
    this.results = results;
  }

  /** All parity of one row; k units are read. */
  static CodecTask encoding(String name, CodecUnits units, Runnable kernel) {
    ErasureCodec codec = units.codec();
    ByteBuffer[] data = units.data();
    ByteBuffer[] parity = units.results();
    return new CodecTask(
        name,
        units,
        kernel,
        (long) data.length * units.unitBytes(),
        () -> codec.encode(data, parity),
        IntStream.range(codec.shape().dataUnits(), codec.shape().units()).toArray());
  }

  /** Returns a task that rebuilds the given units of one row, with a recipe made before. */
  static CodecTask rebuilding(String name, CodecUnits units, Runnable kernel, UnitSet lost) {
    ErasureCodec codec = units.codec();
    RebuildRecipe recipe =
        codec
            .recipe(lost, UnitSet.all(codec.shape()).minus(lost), ReadCost.UNIFORM)
            .orElseThrow(
                () -> new IllegalArgumentException("%s cannot lose %s".formatted(codec, lost)));
    List<Chunk> reads = recipe.reads();
    ByteBuffer[] inputs = reads.stream().map(units::chunk).toArray(ByteBuffer[]::new);
    List<ByteBuffer> outputs = new ArrayList<>();
    for (int i = 0; i < lost.size(); i++) {
      for (int subUnit = 0; subUnit < codec.subUnits(); subUnit++) {
        outputs.add(units.resultChunk(i, subUnit));
      }
    }
    ByteBuffer[] rebuilt = outputs.toArray(ByteBuffer[]::new);
    return new CodecTask(
        name,
        units,
        kernel,
        (long) inputs.length * units.chunkBytes(),
        () -> recipe.rebuild(inputs, rebuilt),
        lost.toArray());
  }

  @Override
  public String name() {
    return name;
  }

  /** Bytes read. */
  @Override
  public double amount() {
    return bytesRead;
  }

  /** Bytes of units rebuilt, or of parity computed, for each byte read. */
  double resultPerByteRead() {
    return (double) results.length * units.unitBytes() / bytesRead;
  }

  @Override
  public void ready() {
    units.forgetResults();
    kernel.run();
  }

  @Override
  public void run() {
    work.run();
  }

  @Override
  public Optional<String> fault() {
    return units.faultOf(results);
  }
}
