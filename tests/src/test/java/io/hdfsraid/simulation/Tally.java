// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import java.util.Map;
import java.util.TreeMap;

/** Counts what came to pass, so that a history in which nothing happens is noticed. */
final class Tally {
  private final Map<String, Long> counts = new TreeMap<>();

  synchronized void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  synchronized long of(String what) {
    return counts.getOrDefault(what, 0L);
  }

  synchronized void add(Tally other) {
    other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
  }

  @Override
  public synchronized String toString() {
    return counts.toString();
  }
}
