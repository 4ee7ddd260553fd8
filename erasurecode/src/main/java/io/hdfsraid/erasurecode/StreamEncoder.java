package io.hdfsraid.erasurecode;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Encodes streams of any length in one pass, row by row, within (k + m)·α·c bytes of direct memory,
 * which each call allocates. One thread reads, encodes and writes; what reads and writes in
 * parallel calls {@link ErasureCodec#encode} itself. Immutable; safe for concurrent use with
 * different streams.
 */
public final class StreamEncoder {
  private final ErasureCodec codec;
  private final RowLayout layout;

  /**
   * @throws IllegalArgumentException when the layout has not the α of the codec
   */
  public StreamEncoder(ErasureCodec codec, RowLayout layout) {
    if (layout.subUnits() != codec.subUnits()) {
      throw new IllegalArgumentException(
          "Rows of %s have %d sub-units, but the layout has %d"
              .formatted(codec.name(), codec.subUnits(), layout.subUnits()));
    }
    this.codec = codec;
    this.layout = layout;
  }

  /**
   * Reads every data unit to its end and writes every parity unit. Closes nothing.
   *
   * @param longest bytes of the longest data unit, which must be known before the first row, as the
   *     rows follow from it; shorter units count as zeros beyond their end
   * @param data k channels, empty for units that do not exist; blocking, may deliver as few bytes
   *     at a time as they like
   * @param parity m channels, each of which gets {@link ErasureCodec#parityLength} bytes
   * @throws EOFException when no unit has {@code longest} bytes
   * @throws IOException when a unit has more, or a channel fails; parity is then incomplete
   */
  public void encode(
      long longest,
      List<? extends Optional<? extends ReadableByteChannel>> data,
      List<? extends WritableByteChannel> parity)
      throws IOException {
    StripeShape shape = codec.shape();
    if (data.size() != shape.dataUnits() || parity.size() != shape.parityUnits()) {
      throw new IllegalArgumentException(
          "%s encodes %d units into %d, but got %d and %d channels"
              .formatted(
                  codec.name(),
                  shape.dataUnits(),
                  shape.parityUnits(),
                  data.size(),
                  parity.size()));
    }
    long stripeLength = codec.parityLength(longest);
    ByteBuffer[] inputs = buffers(shape.dataUnits(), stripeLength);
    ByteBuffer[] outputs = buffers(shape.parityUnits(), stripeLength);
    long held = 0;
    for (long row = 0; row < layout.rows(stripeLength); row++) {
      int rowLength = layout.subUnits() * layout.chunkLength(row, stripeLength);
      for (int unit = 0; unit < inputs.length; unit++) {
        int read = fill(inputs[unit].clear().limit(rowLength), data.get(unit));
        held = Math.max(held, read == 0 ? 0 : row * layout.rowBytes() + read);
      }
      for (ByteBuffer output : outputs) {
        output.clear().limit(rowLength);
      }
      codec.encode(inputs, outputs);
      for (int p = 0; p < outputs.length; p++) {
        while (outputs[p].hasRemaining()) {
          int unused = parity.get(p).write(outputs[p]);
        }
      }
    }
    if (held < longest) {
      throw new EOFException(
          "The longest data unit was said to have %d bytes, but has %d".formatted(longest, held));
    }
    checkEnded(longest, held, data);
  }

  private ByteBuffer[] buffers(int count, long stripeLength) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    int length = (int) Math.min(layout.rowBytes(), stripeLength);
    Arrays.setAll(buffers, i -> ByteBuffer.allocateDirect(length));
    return buffers;
  }

  /**
   * Fills the buffer, with zeros where the channel has ended, and leaves its position at 0.
   *
   * @return bytes of the channel
   */
  private static int fill(ByteBuffer buffer, Optional<? extends ReadableByteChannel> channel)
      throws IOException {
    if (channel.isPresent()) {
      while (buffer.hasRemaining() && channel.get().read(buffer) >= 0) {
        // Channels deliver what they have.
      }
    }
    int read = buffer.position();
    while (buffer.remaining() >= Long.BYTES) {
      buffer.putLong(0);
    }
    while (buffer.hasRemaining()) {
      buffer.put((byte) 0);
    }
    buffer.flip();
    return read;
  }

  /** Granules can make the last row longer than the longest unit: what it held may be too much. */
  private static void checkEnded(
      long longest, long held, List<? extends Optional<? extends ReadableByteChannel>> data)
      throws IOException {
    if (held > longest) {
      throw tooLong(longest, "one");
    }
    for (int unit = 0; unit < data.size(); unit++) {
      if (fill(ByteBuffer.allocate(1), data.get(unit)) > 0) {
        throw tooLong(longest, "unit " + unit);
      }
    }
  }

  private static IOException tooLong(long longest, String which) {
    return new IOException(
        "The longest data unit was said to have %d bytes, but %s has more"
            .formatted(longest, which));
  }
}
