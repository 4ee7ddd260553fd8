package io.hdfsraid.offline.bench;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Memory for cells of one size, used by all rivals in turn: so each finds as much of it in the
 * caches as the others. Outside of the Java heap, as native kernels want it and the daemon has it.
 */
final class CellBuffers {
  private static final int SEED = 20130617;

  private final Cell cell;
  private final Random random = new Random(SEED);
  private final List<ByteBuffer> data = new ArrayList<>();
  private final List<ByteBuffer> results = new ArrayList<>();

  CellBuffers(Cell cell) {
    this.cell = cell;
  }

  Cell cell() {
    return cell;
  }

  /** Data units of {@code bytes} bytes each: the beginnings of the same ones each time. */
  ByteBuffer[] data(int units, int bytes) {
    while (data.size() < units) {
      byte[] content = new byte[cell.bytes()];
      random.nextBytes(content);
      data.add(ByteBuffer.allocateDirect(content.length).put(0, content));
    }
    return beginnings(data, units, bytes);
  }

  /** Where results go; overwritten by whoever comes next. */
  ByteBuffer[] results(int units, int bytes) {
    while (results.size() < units) {
      results.add(ByteBuffer.allocateDirect(cell.bytes()));
    }
    return beginnings(results, units, bytes);
  }

  private static ByteBuffer[] beginnings(List<ByteBuffer> buffers, int count, int bytes) {
    return buffers.stream()
        .limit(count)
        .map(buffer -> buffer.slice(0, bytes))
        .toArray(ByteBuffer[]::new);
  }
}
