// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import java.nio.ByteBuffer;

/** Checks of the buffers that callers pass. */
final class Buffers {
  private static final int GIGABYTE = 1 << 30;

  private Buffers() {}

  /**
   * Checks all that can be wrong before a byte is written.
   *
   * @throws IllegalArgumentException when a buffer is missing, an output cannot be written or
   *     shares memory with another buffer, or not every buffer has as many bytes remaining
   */
  static void check(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    checkPresent("Input", inputs);
    checkPresent("Output", outputs);
    int remaining = outputs.length > 0 ? outputs[0].remaining() : 0;
    for (int i = 0; i < inputs.length; i++) {
      check("Input", i, inputs[i], "output", 0, remaining);
    }
    for (int i = 0; i < outputs.length; i++) {
      check("Output", i, outputs[i], "output", 0, remaining);
      if (outputs[i].isReadOnly()) {
        throw new IllegalArgumentException("Output %d is read-only".formatted(i));
      }
    }
    checkDisjoint(inputs, outputs);
  }

  private static void checkPresent(String which, ByteBuffer[] buffers) {
    for (int i = 0; i < buffers.length; i++) {
      if (buffers[i] == null) {
        throw new IllegalArgumentException(
            "%s %d is null; a unit that does not exist is a buffer of zeros".formatted(which, i));
      }
    }
  }

  /**
   * @param units null for those that are not there
   * @throws IllegalArgumentException unless every unit has as many bytes remaining as the first
   */
  static void checkSameRemaining(ByteBuffer[] units) {
    int first = 0;
    while (first < units.length && units[first] == null) {
      first++;
    }
    for (int i = first; i < units.length; i++) {
      if (units[i] != null) {
        check("Unit", i, units[i], "unit", first, units[first].remaining());
      }
    }
  }

  /** Seen of heap buffers that give access to their array, and of direct buffers. */
  private static void checkDisjoint(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    for (int o = 0; o < outputs.length; o++) {
      for (int i = 0; i < inputs.length; i++) {
        if (overlap(inputs[i], outputs[o])) {
          throw new IllegalArgumentException(
              "Output %d shares memory with input %d, and would overwrite it".formatted(o, i));
        }
      }
      for (int other = 0; other < o; other++) {
        if (overlap(outputs[other], outputs[o])) {
          throw new IllegalArgumentException(
              "Output %d shares memory with output %d, and would overwrite it".formatted(o, other));
        }
      }
    }
  }

  private static boolean overlap(ByteBuffer a, ByteBuffer output) {
    if (!a.hasRemaining() || !output.hasRemaining()) {
      return false;
    }
    if (a.hasArray() && output.hasArray()) {
      long shift = (long) output.arrayOffset() + output.position() - a.arrayOffset() - a.position();
      return a.array() == output.array() && Math.abs(shift) < output.remaining();
    }
    return a.isDirect() && output.isDirect() && directOverlap(a, output);
  }

  /**
   * The address of a direct buffer cannot be asked for, but what it leaves when divided by 2^30
   * can. That is the same for buffers 1 GiB apart too; so where it speaks for an overlap, a byte of
   * the output is changed for a moment, to see whether it changes in the other buffer as well.
   */
  private static boolean directOverlap(ByteBuffer a, ByteBuffer output) {
    int shift =
        output.alignmentOffset(output.position(), GIGABYTE)
            - a.alignmentOffset(a.position(), GIGABYTE);
    return changesWith(a, output, shift)
        || changesWith(a, output, shift - GIGABYTE)
        || changesWith(a, output, shift + GIGABYTE);
  }

  /**
   * Whether the output begins {@code shift} bytes behind (in front of, if less than 0) the other
   * buffer, and not only at an address that looks like that.
   */
  private static boolean changesWith(ByteBuffer a, ByteBuffer output, int shift) {
    if (Math.abs(shift) >= output.remaining()) {
      return false;
    }
    int at = output.position() + Math.max(0, -shift);
    int inA = a.position() + Math.max(0, shift);
    byte before = output.get(at);
    byte seen = a.get(inA);
    output.put(at, (byte) ~before);
    boolean same = seen != a.get(inA);
    output.put(at, before);
    return same;
  }

  private static void check(
      String which, int index, ByteBuffer buffer, String other, int otherIndex, int remaining) {
    if (buffer.remaining() != remaining) {
      throw new IllegalArgumentException(
          "%s %d has %d bytes remaining, but %s %d has %d"
              .formatted(which, index, buffer.remaining(), other, otherIndex, remaining));
    }
  }
}
