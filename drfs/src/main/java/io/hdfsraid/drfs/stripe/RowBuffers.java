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
