// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.bench.measure.Task;
import io.hdfsraid.erasurecode.StripeShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;

/**
 * Encodes or rebuilds with Hadoop's own coder in Java, which Hadoop uses without native libraries.
 * It works on arrays of the Java heap, where it is faster than on direct buffers.
 */
final class HadoopTask implements Task {
  private final String name;
  private final byte[][] expected;
  private final byte[][] results;
  private final long bytesRead;
  private final Coding coding;

  private interface Coding {
    void run() throws IOException;
  }

  private HadoopTask(
      String name, byte[][] expected, byte[][] results, long bytesRead, Coding coding) {
    this.name = name;
    this.expected = expected;
    this.results = results;
    this.bytesRead = bytesRead;
    this.coding = coding;
  }

  /**
   * @param units of {@code rs-k-m}, whose parity is that of Hadoop's coder
   */
  static HadoopTask encoding(String name, CodecUnits units) {
    StripeShape shape = units.codec().shape();
    byte[][] all = arrays(units);
    byte[][] data = Arrays.copyOf(all, shape.dataUnits());
    byte[][] parity = new byte[shape.parityUnits()][units.unitBytes()];
    RSRawEncoder encoder = new RSRawEncoder(options(shape));
    return new HadoopTask(
        name,
        Arrays.copyOfRange(all, shape.dataUnits(), all.length),
        parity,
        (long) data.length * units.unitBytes(),
        () -> encoder.encode(data, parity));
  }

  /** The first {@code losses} units are lost. The decoder remembers its matrix, as ours does. */
  static HadoopTask rebuilding(String name, CodecUnits units, int losses) {
    StripeShape shape = units.codec().shape();
    byte[][] all = arrays(units);
    byte[][] inputs = all.clone();
    Arrays.fill(inputs, 0, losses, null);
    byte[][] rebuilt = new byte[losses][units.unitBytes()];
    int[] lost = IntStream.range(0, losses).toArray();
    RSRawDecoder decoder = new RSRawDecoder(options(shape));
    return new HadoopTask(
        name,
        Arrays.copyOf(all, losses),
        rebuilt,
        (long) shape.dataUnits() * units.unitBytes(),
        () -> decoder.decode(inputs, lost, rebuilt));
  }

  private static ErasureCoderOptions options(StripeShape shape) {
    return new ErasureCoderOptions(shape.dataUnits(), shape.parityUnits());
  }

  private static byte[][] arrays(CodecUnits units) {
    byte[][] arrays = new byte[units.codec().shape().units()][units.unitBytes()];
    for (int i = 0; i < arrays.length; i++) {
      units.unit(i).get(0, arrays[i]);
    }
    return arrays;
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

  @Override
  public void ready() {
    for (byte[] result : results) {
      Arrays.fill(result, (byte) 0);
    }
  }

  @Override
  public void run() {
    try {
      coding.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<String> fault() {
    for (int i = 0; i < results.length; i++) {
      int wrong = Arrays.mismatch(results[i], expected[i]);
      if (wrong >= 0) {
        return Optional.of("byte %d of result %d is not ours".formatted(wrong, i));
      }
    }
    return Optional.empty();
  }
}
