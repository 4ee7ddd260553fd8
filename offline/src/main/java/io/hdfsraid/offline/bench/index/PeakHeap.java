package io.hdfsraid.offline.bench.index;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** How much of the Java heap was in use after collections of garbage; at most, so far. */
final class PeakHeap implements AutoCloseable {
  private static final long EACH_MILLIS = 100;

  private final Thread watcher = new Thread(this::watch, "peak-heap");
  private volatile long most;

  static PeakHeap watched() {
    PeakHeap heap = new PeakHeap();
    heap.watcher.setDaemon(true);
    heap.watcher.start();
    return heap;
  }

  private void watch() {
    try {
      while (true) {
        look();
        Thread.sleep(EACH_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void look() {
    long used = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage afterCollection = pool.getCollectionUsage();
      if (pool.getType() == MemoryType.HEAP && afterCollection != null) {
        used += afterCollection.getUsed();
      }
    }
    most = Math.max(most, used);
  }

  long mebibytes() {
    look();
    return most >> 20;
  }

  @Override
  public void close() {
    watcher.interrupt();
  }
}
