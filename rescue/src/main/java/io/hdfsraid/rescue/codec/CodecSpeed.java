// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.UnitSet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * The speed of one codec on one thread, with the kernel that is in use. Each figure is in GB (10^9
 * bytes) of input per second and the median of some rounds, after a warm-up.
 *
 * @param encode reads all data units and computes all parity units
 * @param rebuild reads what the cheapest recipe for data unit 0 reads, and rebuilds that unit
 */
public record CodecSpeed(double encode, double rebuild) {
  private static final int UNIT_BYTES = 1 << 20;
  private static final int ALIGNMENT = 64;
  private static final int ROUNDS = 5;
  private static final int WARM_UP = 3;
  private static final int SEED = 20130617;

  /**
   * Measures a codec.
   *
   * @param nanos the least duration of a round
   * @throws IllegalStateException when a rebuilt unit is not equal to the lost one
   */
  static CodecSpeed of(ErasureCodec codec, long nanos) {
    int chunk = UNIT_BYTES / codec.subUnits() / ALIGNMENT * ALIGNMENT;
    ByteBuffer[] units = new ByteBuffer[codec.shape().units()];
    Arrays.setAll(units, unit -> ByteBuffer.allocateDirect(chunk * codec.subUnits()));
    int dataUnits = codec.shape().dataUnits();
    ByteBuffer[] data = Arrays.copyOf(units, dataUnits);
    ByteBuffer[] parity = Arrays.copyOfRange(units, dataUnits, units.length);
    Random random = new Random(SEED);
    for (ByteBuffer unit : data) {
      byte[] content = new byte[unit.capacity()];
      random.nextBytes(content);
      unit.put(0, content);
    }
    double encode =
        rate((long) dataUnits * data[0].capacity(), nanos, () -> codec.encode(data, parity));

    UnitSet lost = UnitSet.of(0);
    RebuildRecipe recipe =
        codec.recipe(lost, UnitSet.all(codec.shape()).minus(lost), ReadCost.UNIFORM).orElseThrow();
    ByteBuffer[] inputs =
        recipe.reads().stream()
            .map((Chunk read) -> units[read.unit()].slice(read.subUnit() * chunk, chunk))
            .toArray(ByteBuffer[]::new);
    ByteBuffer rebuilt = ByteBuffer.allocateDirect(chunk * codec.subUnits());
    ByteBuffer[] outputs = new ByteBuffer[codec.subUnits()];
    Arrays.setAll(outputs, subUnit -> rebuilt.slice(subUnit * chunk, chunk));
    double rebuild =
        rate((long) inputs.length * chunk, nanos, () -> recipe.rebuild(inputs, outputs));
    if (!rebuilt.equals(units[0])) {
      throw new IllegalStateException(codec.name() + " rebuilt unit 0 with wrong bytes");
    }
    return new CodecSpeed(encode, rebuild);
  }

  private static double rate(long bytes, long nanos, Runnable work) {
    double[] rates = new double[ROUNDS];
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      long start = System.nanoTime();
      long runs = 0;
      long took;
      do {
        work.run();
        runs++;
        took = System.nanoTime() - start;
      } while (took < nanos);
      if (round >= 0) {
        rates[round] = (double) runs * bytes / took;
      }
    }
    Arrays.sort(rates);
    return rates[ROUNDS / 2];
  }
}
