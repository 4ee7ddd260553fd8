// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of one thread that a native library reads its arguments from: a list of addresses, and
 * a lane for each heap buffer, through which that is copied piece by piece. Grows to what the
 * largest matrix needed; all lanes together take {@value #CACHED} bytes, or more with hundreds of
 * buffers. Freed with its thread.
 */
final class NativeWorkspace {
  // Fits into the L2 cache with room to spare; half and twice as much were as fast.
  private static final int CACHED = 256 * 1024;

  // ISA-L computes 4 or 6 outputs in one pass through the inputs.
  private static final int ONE_PASS = 6;
  static final int CACHE_LINE = 64;
  private static final int LEAST_PIECE = 8 * CACHE_LINE;
  private static final int NO_LANE = -1;

  /** The lane of each buffer, in the order inputs, outputs. */
  private int[] lanes = new int[0];

  /** Where each buffer without a lane begins. */
  private long[] addresses = new long[0];

  private ByteBuffer pointers = aligned(0);
  private long pointersAddress;
  private ByteBuffer memory = aligned(0);
  private long memoryAddress;
  private int piece;

  /** Direct memory on a boundary of cache lines, over which no load of a vector then goes. */
  static ByteBuffer aligned(int bytes) {
    // Two lines more, as a slice is aligned at its end, too.
    return ByteBuffer.allocateDirect(Math.addExact(bytes, 2 * CACHE_LINE))
        .alignedSlice(CACHE_LINE)
        .slice(0, bytes);
  }

  /**
   * Prepares for buffers that all have the same number of bytes remaining.
   *
   * @return how many bytes of each can be handled at a time
   */
  int open(ByteBuffer[] inputs, ByteBuffer[] outputs) {
    int buffers = inputs.length + outputs.length;
    if (lanes.length < buffers) {
      lanes = new int[buffers];
      addresses = new long[buffers];
      pointers = aligned(buffers * Long.BYTES).order(ByteOrder.nativeOrder());
      pointersAddress = IsaLibrary.address(pointers);
    }
    int used = 0;
    used = assignLanes(inputs, 0, used);
    used = assignLanes(outputs, inputs.length, used);
    boolean atOnce = used == 0 && outputs.length <= ONE_PASS;
    piece = atOnce ? outputs[0].remaining() : Math.max(LEAST_PIECE, CACHED / buffers & -CACHE_LINE);
    int needed = Math.multiplyExact(used, piece);
    if (memory.capacity() < needed) {
      memory = aligned(Math.max(CACHED, needed));
      memoryAddress = IsaLibrary.address(memory);
    }
    return piece;
  }

  private int assignLanes(ByteBuffer[] buffers, int first, int used) {
    int next = used;
    for (int i = 0; i < buffers.length; i++) {
      if (buffers[i].isDirect()) {
        lanes[first + i] = NO_LANE;
        addresses[first + i] = IsaLibrary.address(buffers[i]) + buffers[i].position();
      } else {
        lanes[first + i] = next;
        next++;
      }
    }
    return next;
  }

  /**
   * Points to a piece of every buffer, and copies that of the inputs that are on the heap.
   *
   * @param from counted from the buffers' positions
   * @param count at most what {@link #open} returned
   */
  void copyIn(ByteBuffer[] inputs, ByteBuffer[] outputs, int from, int count) {
    for (int i = 0; i < inputs.length + outputs.length; i++) {
      long address =
          lanes[i] == NO_LANE ? addresses[i] + from : memoryAddress + (long) lanes[i] * piece;
      pointers.putLong(i * Long.BYTES, address);
    }
    for (int i = 0; i < inputs.length; i++) {
      if (lanes[i] != NO_LANE) {
        memory.put(lanes[i] * piece, inputs[i], inputs[i].position() + from, count);
      }
    }
  }

  /** Copies the same piece of the outputs that are on the heap back. */
  void copyOut(ByteBuffer[] inputs, ByteBuffer[] outputs, int from, int count) {
    for (int i = 0; i < outputs.length; i++) {
      int lane = lanes[inputs.length + i];
      if (lane != NO_LANE) {
        outputs[i].put(outputs[i].position() + from, memory, lane * piece, count);
      }
    }
  }

  /** Whether what the last {@link #copyIn} points to begins on boundaries of cache lines. */
  boolean isAligned(int buffers) {
    for (int i = 0; i < buffers; i++) {
      if (pointers.getLong(i * Long.BYTES) % CACHE_LINE != 0) {
        return false;
      }
    }
    return true;
  }

  /** The address of the address of the given buffer, which those of the next ones follow. */
  long pointers(int buffer) {
    return pointersAddress + (long) buffer * Long.BYTES;
  }
}
