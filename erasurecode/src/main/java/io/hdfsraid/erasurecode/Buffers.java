package io.hdfsraid.erasurecode;

import java.nio.ByteBuffer;

/** What callers must get right about the buffers they pass. */
final class Buffers {
  private Buffers() {}

  /**
   * Checks that inputs and outputs are of one length.
   *
   * @throws IllegalArgumentException unless every buffer has as many bytes remaining
   */
  static void checkSameRemaining(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    int remaining = outputs.length > 0 ? outputs[0].remaining() : 0;
    for (int i = 0; i < inputs.length; i++) {
      check("Input", i, inputs[i], remaining);
    }
    for (int i = 0; i < outputs.length; i++) {
      check("Output", i, outputs[i], remaining);
    }
  }

  private static void check(String which, int index, ByteBuffer buffer, int remaining) {
    if (buffer.remaining() != remaining) {
      throw new IllegalArgumentException(
          "%s %d has %d bytes remaining, but output 0 has %d"
              .formatted(which, index, buffer.remaining(), remaining));
    }
  }
}
