// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces absent fields by empty values, so that a client and a daemon of different versions
 * understand each other and no caller meets a null.
 */
public final class Absent {
  private Absent() {}

  public static <T> List<T> toEmpty(List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /** Returns an unmodifiable copy in the same order, or an empty map. */
  public static <K, V> Map<K, V> toEmpty(Map<K, V> map) {
    return map == null ? Map.of() : java.util.Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  public static <T> Optional<T> toEmpty(Optional<T> value) {
    return value == null ? Optional.empty() : value;
  }

  public static String toEmpty(String text) {
    return text == null ? "" : text;
  }
}
