// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/** An open stream of a client of its own, from which few bytes are read here and there. */
final class OpenFile implements Closeable {
  static final int BYTES = 4096;

  private static final int NEAR = 64 << 10;

  private final FileSystem fs;
  private final ReadFile file;
  private final Random random;
  private final FSDataInputStream in;
  private final byte[] bytes = new byte[BYTES];

  private OpenFile(FileSystem fs, ReadFile file, Random random) throws IOException {
    this.fs = fs;
    this.file = file;
    this.random = random;
    this.in = fs.open(file.path());
  }

  static OpenFile healthy(Rival rival, Random random) throws IOException {
    return new OpenFile(rival.warm(random), rival.healthy(), random);
  }

  /** Opens a file that has lost blocks, and reads once from each lost range. */
  static OpenFile degraded(Rival rival, Random random) throws IOException {
    ReadFile file = rival.lost().get(0);
    OpenFile opened = new OpenFile(rival.warm(random), file, random);
    for (int range = 0; range < file.lost().size(); range++) {
      opened.readLostIn(range);
    }
    return opened;
  }

  void readAnywhere() throws IOException {
    in.readFully(file.anywhere(random, BYTES), bytes);
  }

  void readAnyLost() throws IOException {
    in.readFully(file.anyLost(random, BYTES), bytes);
  }

  void readLostIn(int range) throws IOException {
    in.readFully(file.lostIn(random, range, BYTES), bytes);
  }

  /**
   * Reads near the start of the first lost range. Codes of several chunks in a row read the same
   * helpers each time there, and not in the whole of the range.
   */
  void readFirstLost() throws IOException {
    LostRange first = file.lost().get(0);
    LostRange start = new LostRange(first.from(), first.from() + Math.min(first.length(), NEAR));
    in.readFully(ReadFile.piece(random, start, BYTES), bytes);
  }

  @Override
  public void close() throws IOException {
    try {
      in.close();
    } finally {
      fs.close();
    }
  }
}
