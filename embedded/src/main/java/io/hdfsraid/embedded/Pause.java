// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.InterruptedIOException;
import java.time.Duration;

/** Sleeps in code that may throw {@link java.io.IOException}. */
public final class Pause {
  private Pause() {}

  public static void of(Duration duration) throws InterruptedIOException {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for HDFS");
    }
  }
}
