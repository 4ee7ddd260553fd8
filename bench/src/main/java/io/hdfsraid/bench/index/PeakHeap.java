// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** The largest use of the Java heap after any garbage collection so far. */
final class PeakHeap implements AutoCloseable {
  private final Set<String> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toSet());
  private final NotificationListener listener = (notification, unused) -> look(notification);
  private final AtomicLong most = new AtomicLong();

  private PeakHeap() {}

  /** From now on. */
  static PeakHeap watched() {
    PeakHeap heap = new PeakHeap();
    emitters().forEach(emitter -> emitter.addNotificationListener(heap.listener, null, null));
    return heap;
  }

  private static List<NotificationEmitter> emitters() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream().map(PeakHeap::emitter).toList();
  }

  private static NotificationEmitter emitter(GarbageCollectorMXBean collector) {
    return (NotificationEmitter) collector;
  }

  private void look(Notification notification) {
    if (notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      look(
          GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
              .getGcInfo()
              .getMemoryUsageAfterGc()
              .entrySet()
              .stream()
              .filter(each -> pools.contains(each.getKey()))
              .map(Map.Entry::getValue)
              .mapToLong(MemoryUsage::getUsed)
              .sum());
    }
  }

  private void look(long used) {
    most.accumulateAndGet(used, Math::max);
  }

  long mebibytes() {
    return most.get() >> 20;
  }

  @Override
  public void close() {
    for (NotificationEmitter emitter : emitters()) {
      try {
        emitter.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        // It is not called any more, as wanted.
      }
    }
  }
}
