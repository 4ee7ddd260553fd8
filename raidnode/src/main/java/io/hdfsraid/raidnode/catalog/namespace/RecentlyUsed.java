package io.hdfsraid.raidnode.catalog.namespace;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps what was asked for lately: at least {@code half} and at most twice as many. What one thread
 * has read before another one changed it is not kept. Any number of threads.
 */
final class RecentlyUsed<K, V> {
  private final int half;
  private volatile Map<K, V> young = new ConcurrentHashMap<>();
  private volatile Map<K, V> old = new ConcurrentHashMap<>();
  private volatile long changes;

  RecentlyUsed(int half) {
    this.half = half;
  }

  Optional<V> find(K key) {
    V value = young.get(key);
    if (value != null) {
      return Optional.of(value);
    }
    long seen = changes;
    value = old.get(key);
    if (value == null) {
      return Optional.empty();
    }
    keep(key, value, seen);
    return Optional.of(value);
  }

  /** To be asked for before what is given to {@link #keep} is read. */
  long changes() {
    return changes;
  }

  synchronized void keep(K key, V value, long changesWhenRead) {
    if (changesWhenRead != changes) {
      return;
    }
    young.put(key, value);
    if (young.size() >= half) {
      old = young;
      young = new ConcurrentHashMap<>();
    }
  }

  /** What was kept under these keys has changed. */
  synchronized void forget(Collection<K> keys) {
    changes++;
    for (K key : keys) {
      young.remove(key);
      old.remove(key);
    }
  }

  synchronized void forgetAll() {
    changes++;
    young.clear();
    old.clear();
  }
}
