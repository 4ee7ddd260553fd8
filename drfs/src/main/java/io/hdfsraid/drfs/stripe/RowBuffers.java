package io.hdfsraid.drfs.stripe;

import java.nio.ByteBuffer;

/** The buffers of a {@link RowPipeline}: allocated once, used by every second row again. */
final class RowBuffers {
  private final ByteBuffer[][] slots;

  RowBuffers(int slots, int buffers, int bytes) {
    this.slots = new ByteBuffer[slots][buffers];
    for (ByteBuffer[] slot : this.slots) {
      for (int i = 0; i < buffers; i++) {
        slot[i] = ByteBuffer.allocate(bytes);
      }
    }
  }

  /** The first {@code length} bytes of a buffer of the row's slot, as a view of its own. */
  ByteBuffer get(int row, int buffer, int length) {
    return slots[row % slots.length][buffer].slice(0, length);
  }
}
