package io.hdfsraid.drfs.stripe;

import java.nio.ByteBuffer;

/**
 * The buffers of a {@link RowPipeline}: allocated when a row first needs them, used by every second
 * row again. Used by one thread.
 */
final class RowBuffers {
  private final ByteBuffer[][] slots;
  private final int bytes;

  RowBuffers(int slots, int buffers, int bytes) {
    this.slots = new ByteBuffer[slots][buffers];
    this.bytes = bytes;
  }

  /**
   * Buffers of which some are those of others, with what is in them.
   *
   * @param from for each buffer the number of the other's that it is; -1 for one of its own
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

  /** Bytes that all of them take once they are allocated. */
  long memory() {
    return slots.length == 0 ? 0 : (long) slots.length * slots[0].length * bytes;
  }

  /** The first {@code length} bytes of a buffer of the row's slot, as a view of its own. */
  ByteBuffer get(int row, int buffer, int length) {
    ByteBuffer[] slot = slots[row % slots.length];
    if (slot[buffer] == null) {
      slot[buffer] = ByteBuffer.allocate(bytes);
    }
    return slot[buffer].slice(0, length);
  }
}
