// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/**
 * Lets a task wait for the end of a trouble in which every step would fail, as when the NameNode is
 * away. Safe for concurrent use.
 */
public final class Patience {
  private static final long SECONDS_BETWEEN_LOOKS = 1;

  private final KnownTrouble trouble;
  private volatile boolean waiting;

  Patience(KnownTrouble trouble) {
    this.trouble = trouble;
  }

  /**
   * Waits while the trouble goes on.
   *
   * @throws InterruptedIOException if the task is cancelled; the flag of the thread is set
   */
  public void await() throws InterruptedIOException {
    try {
      while (trouble.isOn()) {
        waiting = true;
        TimeUnit.SECONDS.sleep(SECONDS_BETWEEN_LOOKS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cancelled while the task waited for HDFS");
    } finally {
      waiting = false;
    }
  }

  /** Returns whether a failure belongs to the trouble, so that the step is to be repeated. */
  public boolean isTriedBy(Throwable failure) {
    return trouble.explains(failure);
  }

  /** Returns whether the trouble goes on, as far as is known. */
  public boolean isTried() {
    return trouble.isOn();
  }

  /** Returns whether the task waits now. */
  boolean isWaiting() {
    return waiting;
  }
}
