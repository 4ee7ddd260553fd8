// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import java.time.Duration;
import java.util.function.Supplier;

/** Waits for conditions, never for a time. */
public final class Until {
  static final Duration LONGEST = Duration.ofMinutes(3);

  private Until() {}

  /** What is waited for. */
  public interface Condition {
    boolean holds() throws Exception;
  }

  /** Asks again and again, with a short pause, until it holds. */
  public static void holds(Condition condition, Supplier<String> otherwise) throws Exception {
    holds(condition, LONGEST, otherwise);
  }

  /** Asks again and again, at most for the given time, until it holds. */
  public static void holds(Condition condition, Duration longest, Supplier<String> otherwise)
      throws Exception {
    long end = System.nanoTime() + longest.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "Waited %d s in vain: %s".formatted(longest.toSeconds(), otherwise.get()));
      }
      Thread.sleep(250);
    }
  }
}
