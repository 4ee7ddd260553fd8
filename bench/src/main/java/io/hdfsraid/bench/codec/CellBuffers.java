// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Memory for cells of one size. All tasks use it in turn, so each finds as much of it in the caches
 * as the others do.
 */
final class CellBuffers {
  private static final int CACHE_LINE = 64;
  private static final int SEED = 20130617;

  private final Cell cell;
  private final Memory memory;
  private final Random random = new Random(SEED);
  private final List<ByteBuffer> data = new ArrayList<>();
  private final List<ByteBuffer> results = new ArrayList<>();

  /** Where buffers are. */
  enum Memory {
    /** Where native kernels can use them as they are, and like them best. */
    DIRECT,
    /** Arrays. */
    HEAP
  }

  CellBuffers(Cell cell, Memory memory) {
    this.cell = cell;
    this.memory = memory;
  }

  Cell cell() {
    return cell;
  }

  /** Data units of {@code bytes} bytes each: the beginnings of the same ones each time. */
  ByteBuffer[] data(int units, int bytes) {
    while (data.size() < units) {
      byte[] content = new byte[cell.bytes()];
      random.nextBytes(content);
      data.add(allocate(content.length).put(0, content));
    }
    return beginnings(data, units, bytes);
  }

  /** Buffers for results, which the next task overwrites. */
  ByteBuffer[] results(int units, int bytes) {
    while (results.size() < units) {
      results.add(allocate(cell.bytes()));
    }
    return beginnings(results, units, bytes);
  }

  /** Zeros; direct memory begins where a cache line does. */
  ByteBuffer allocate(int bytes) {
    return switch (memory) {
      case HEAP -> ByteBuffer.allocate(bytes);
      case DIRECT ->
          ByteBuffer.allocateDirect(bytes + 2 * CACHE_LINE)
              .alignedSlice(CACHE_LINE)
              .slice(0, bytes);
    };
  }

  private static ByteBuffer[] beginnings(List<ByteBuffer> buffers, int count, int bytes) {
    return buffers.stream()
        .limit(count)
        .map(buffer -> buffer.slice(0, bytes))
        .toArray(ByteBuffer[]::new);
  }
}
