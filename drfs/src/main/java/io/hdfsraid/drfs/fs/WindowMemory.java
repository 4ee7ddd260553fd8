// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.stripe.RowMemory;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The memory for the windows of all streams of a client. If there is none left, windows are dropped
 * that nobody has read for a while: an application may keep many streams open. Safe for concurrent
 * use.
 */
final class WindowMemory {
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RowMemory memory;
  private final LongSupplier nanoTime;
  private final Set<Windows> holders = ConcurrentHashMap.newKeySet();
  private final AtomicLong lookedNanos;

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  WindowMemory(RowMemory memory, LongSupplier nanoTime) {
    this.memory = memory;
    this.nanoTime = nanoTime;
    this.lookedNanos = new AtomicLong(nanoTime.getAsLong() - LOOK_NANOS);
  }

  /**
   * Returns memory if there is some, without waiting for it. The caller must not hold the lock of a
   * stream's windows.
   */
  Optional<RowMemory.Lease> spare(long bytes) {
    Optional<RowMemory.Lease> lease = memory.spare(bytes);
    if (lease.isPresent()) {
      return lease;
    }
    long now = nanoTime.getAsLong();
    long looked = lookedNanos.get();
    if (now - looked < LOOK_NANOS || !lookedNanos.compareAndSet(looked, now)) {
      return lease;
    }
    holders.forEach(windows -> windows.dropUnreadSince(now - IDLE_NANOS));
    return memory.spare(bytes);
  }

  /** These windows have memory that can be taken back. */
  void held(Windows windows) {
    holders.add(windows);
  }

  /** These windows have none. */
  void released(Windows windows) {
    holders.remove(windows);
  }
}
