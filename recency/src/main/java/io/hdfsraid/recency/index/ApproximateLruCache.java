// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of the entries that were used lately: at least {@code half} and at most twice as many. A
 * value that one thread read before another thread changed it is not cached. Safe for concurrent
 * use.
 */
final class ApproximateLruCache<K, V> {
  private final int half;
  private volatile Map<K, V> young = new ConcurrentHashMap<>();
  private volatile Map<K, V> old = new ConcurrentHashMap<>();
  private volatile long changes;

  ApproximateLruCache(int half) {
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

  /**
   * Returns the number of changes. Call it before reading a value that is passed to {@link #keep}.
   */
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

  /** Removes entries whose values have changed. */
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
