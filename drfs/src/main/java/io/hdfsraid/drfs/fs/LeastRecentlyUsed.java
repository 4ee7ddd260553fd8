// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that forgets what was used least recently. Guarded by its user. */
final class LeastRecentlyUsed<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;
  private static final int USUAL_CAPACITY = 16;
  private static final float USUAL_LOAD = 0.75f;

  private final int most;

  /**
   * @param most the number of entries that are kept
   */
  LeastRecentlyUsed(int most) {
    super(USUAL_CAPACITY, USUAL_LOAD, /* accessOrder= */ true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
