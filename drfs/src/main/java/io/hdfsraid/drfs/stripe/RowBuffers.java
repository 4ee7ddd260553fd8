// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import java.nio.ByteBuffer;

/**
 * The buffers of a {@link RowPipeline}. A buffer is allocated when a row first needs it, and reused
 * by every second row. Used by one thread.
 */
final class RowBuffers {
  private final ByteBuffer[][] slots;
  private final int bytes;

  RowBuffers(int slots, int buffers, int bytes) {
    this.slots = new ByteBuffer[slots][buffers];
    this.bytes = bytes;
  }

  /**
   * Creates buffers some of which are shared with another instance, including their content.
   *
   * @param from for each buffer, the number of the shared buffer of the other instance; -1 for a
   *     buffer of its own
   */
  RowBuffers(RowBuffers other, int[] from) {
    this(other.slots.length, from.length, other.bytes);
    for (int slot = 0; slot < slots.length; slot++) {
      for (int buffer = 0; buffer < from.length; buffer++) {
        if (from[buffer] >= 0) {
          slots[slot][buffer] = other.slots[slot][from[buffer]];
        }
      }
    }
  }

  /** Returns the bytes of all buffers once they are allocated. */
  long memory() {
    return slots.length == 0 ? 0 : (long) slots.length * slots[0].length * bytes;
  }

  /** Returns a new view of the first {@code length} bytes of a buffer of the row's slot. */
  ByteBuffer get(int row, int buffer, int length) {
    ByteBuffer[] slot = slots[row % slots.length];
    if (slot[buffer] == null) {
      slot[buffer] = ByteBuffer.allocate(bytes);
    }
    return slot[buffer].slice(0, length);
  }
}
