// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.erasurecode.Consistency;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSLegacyRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * Encodes with Hadoop's {@code rs-legacy}, the coder of Facebook's HDFS-RAID, in place of a code of
 * the same shape. It is for timing only: its parity is not that of the code whose name it has, so
 * nothing can be rebuilt from it.
 */
public final class LegacyCodec extends SubstituteCodec {
  private final RawErasureEncoder encoder;

  public LegacyCodec(ErasureCodec same) {
    super(same);
    this.encoder =
        new RSLegacyRawErasureCoderFactory()
            .createEncoder(
                new ErasureCoderOptions(same.shape().dataUnits(), same.shape().parityUnits()));
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    try {
      encoder.encode(views(data), views(parity));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hadoop moves positions. */
  private static ByteBuffer[] views(ByteBuffer[] buffers) {
    return Arrays.stream(buffers).map(ByteBuffer::duplicate).toArray(ByteBuffer[]::new);
  }

  /** Encodes again and compares: raiding proves its parity, whatever has computed it. */
  @Override
  public Consistency verify(ByteBuffer[] units) {
    int k = shape().dataUnits();
    ByteBuffer[] recorded = Arrays.copyOfRange(units, k, units.length);
    ByteBuffer[] parity =
        Arrays.stream(recorded)
            .map(unit -> ByteBuffer.allocate(unit.remaining()))
            .toArray(ByteBuffer[]::new);
    encode(Arrays.copyOf(units, k), parity);
    Consistency.Verdict verdict =
        Arrays.equals(recorded, parity) ? Consistency.Verdict.CODEWORD : Consistency.Verdict.WRONG;
    return new Consistency(verdict, UnitSet.none(), UnitSet.none());
  }

  @Override
  public Optional<RebuildRecipe> recipe(UnitSet lost, UnitSet available, ReadCost cost) {
    throw new UnsupportedOperationException("Its parity is only timed");
  }
}
