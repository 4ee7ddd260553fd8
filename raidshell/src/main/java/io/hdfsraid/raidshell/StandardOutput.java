// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Remembers why output could not be written. A {@code PrintWriter} only tells that it could not be.
 */
final class StandardOutput extends FilterOutputStream {
  private static final String READER_HAS_ENOUGH = "Broken pipe";

  private Optional<IOException> failure = Optional.empty();

  StandardOutput(OutputStream out) {
    super(out);
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void remember(Writing writing) throws IOException {
    try {
      writing.run();
    } catch (IOException e) {
      if (failure.isEmpty()) {
        failure = Optional.of(e);
      }
      throw e;
    }
  }

  @Override
  public void write(int b) throws IOException {
    remember(() -> out.write(b));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    remember(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() throws IOException {
    remember(out::flush);
  }

  /**
   * Returns why not everything was written; empty if it was, or if whoever reads it, such as {@code
   * head}, wanted no more.
   */
  Optional<String> failure() {
    return failure.map(IOException::getMessage).filter(why -> !READER_HAS_ENOUGH.equals(why));
  }
}
