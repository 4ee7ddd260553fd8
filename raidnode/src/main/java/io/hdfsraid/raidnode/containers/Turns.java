// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * Lets so many threads work at once. Far more of them wait for containers than this process could
 * serve, if containers leave the work to it. Safe for concurrent use.
 */
public final class Turns {
  private final IntSupplier atOnce;
  private final Lock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private int taken;

  /**
   * @param atOnce tells how many may work at once; may change at any time
   */
  public Turns(IntSupplier atOnce) {
    this.atOnce = atOnce;
  }

  /** Waits for a turn, which the caller must {@link #end}. */
  public void take() throws IOException {
    lock.lock();
    try {
      while (taken >= atOnce.getAsInt()) {
        // The number may be raised meanwhile.
        boolean unused = ended.await(1, TimeUnit.SECONDS);
      }
      taken++;
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("waiting for a turn", e);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the turn of the caller. */
  public void end() {
    lock.lock();
    try {
      taken--;
      ended.signal();
    } finally {
      lock.unlock();
    }
  }
}
