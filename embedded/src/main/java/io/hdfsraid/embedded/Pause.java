package io.hdfsraid.embedded;

import java.io.InterruptedIOException;

/** Waiting, for code that may throw IOException anyway. */
final class Pause {
  private Pause() {}

  static void millis(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for HDFS");
    }
  }
}
