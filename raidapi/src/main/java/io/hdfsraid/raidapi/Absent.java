package io.hdfsraid.raidapi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a field is when the other side did not send it: empty, so that a client and a daemon of
 * different versions understand each other and nobody meets a null.
 */
final class Absent {
  private Absent() {}

  static <T> List<T> toEmpty(List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /** Keeps the order. */
  static <K, V> Map<K, V> toEmpty(Map<K, V> map) {
    return map == null ? Map.of() : java.util.Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  static <T> Optional<T> toEmpty(Optional<T> value) {
    return value == null ? Optional.empty() : value;
  }

  static String toEmpty(String text) {
    return text == null ? "" : text;
  }
}
