// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** A cache that keeps the answers used last. Safe for concurrent use. */
final class BoundedCache<K, V> {
  private final Map<K, V> answers;

  BoundedCache(int capacity) {
    answers =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > capacity;
          }
        };
  }

  /**
   * The remembered answer, or the one computed now.
   *
   * @param compute must not return null; two threads that ask at the same time may both call it
   */
  V get(K question, Function<K, V> compute) {
    synchronized (answers) {
      V known = answers.get(question);
      if (known != null) {
        return known;
      }
    }
    // Computes outside the lock: an answer can take long, and other threads should not wait for it.
    V computed = compute.apply(question);
    synchronized (answers) {
      V first = answers.putIfAbsent(question, computed);
      return first != null ? first : computed;
    }
  }
}
