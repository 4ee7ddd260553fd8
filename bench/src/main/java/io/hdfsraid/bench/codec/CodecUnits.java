// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** One row of a stripe: random data, and its parity as the reference kernel computes it. */
final class CodecUnits {
  private final ErasureCodec codec;
  private final int chunk;
  private final ByteBuffer[] units;
  private final ByteBuffer[] results;

  /**
   * Encodes it.
   *
   * @param kernels is left at the reference
   */
  CodecUnits(ErasureCodec codec, CellBuffers buffers, KernelSwitch kernels) {
    this.codec = codec;
    this.chunk = buffers.cell().chunk(codec.subUnits());
    int dataUnits = codec.shape().dataUnits();
    int parityUnits = codec.shape().parityUnits();
    ByteBuffer[] data = buffers.data(dataUnits, unitBytes());
    ByteBuffer[] parity = new ByteBuffer[parityUnits];
    Arrays.setAll(parity, i -> buffers.allocate(unitBytes()));
    kernels.use(KernelSwitch.REFERENCE);
    codec.encode(data, parity);
    this.units = Arrays.copyOf(data, codec.shape().units());
    System.arraycopy(parity, 0, units, dataUnits, parityUnits);
    this.results = buffers.results(parityUnits, unitBytes());
  }

  ErasureCodec codec() {
    return codec;
  }

  int unitBytes() {
    return chunk * codec.subUnits();
  }

  int chunkBytes() {
    return chunk;
  }

  ByteBuffer[] data() {
    return Arrays.copyOf(units, codec.shape().dataUnits());
  }

  ByteBuffer unit(int unit) {
    return units[unit];
  }

  ByteBuffer chunk(Chunk which) {
    return cut(units[which.unit()], which.subUnit());
  }

  /** As many as the stripe has parity units: no more are rebuilt at once. */
  ByteBuffer[] results() {
    return results;
  }

  ByteBuffer resultChunk(int result, int subUnit) {
    return cut(results[result], subUnit);
  }

  private ByteBuffer cut(ByteBuffer unit, int subUnit) {
    return unit.slice(subUnit * chunk, chunk);
  }

  /** Clears the results, so that no task passes with those of the task before. */
  void forgetResults() {
    for (ByteBuffer result : results) {
      result.duplicate().put(new byte[result.remaining()]);
    }
  }

  /** Whether the results are the given units, in this order. */
  Optional<String> faultOf(int... wanted) {
    for (int i = 0; i < wanted.length; i++) {
      int wrong = results[i].mismatch(units[wanted[i]]);
      if (wrong >= 0) {
        return Optional.of(
            "byte %d of unit %d is not the one of the reference".formatted(wrong, wanted[i]));
      }
    }
    return Optional.empty();
  }
}
