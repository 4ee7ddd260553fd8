// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All keys of {@code raidnode.yml} that are the daemon's own, with the values in force, defaults
 * too. Those of {@code server} and {@code logging} are not among them.
 */
public final class EffectiveSettings {
  private final SortedMap<String, String> values = new TreeMap<>();

  private EffectiveSettings() {}

  /** Returns the values by their keys, such as {@code raiding.workers}. */
  public static SortedMap<String, String> of(RaidNodeConfiguration node) {
    EffectiveSettings settings = new EffectiveSettings();
    node.sections().forEach(settings::add);
    return settings.values;
  }

  private void add(String key, Object value) {
    if (value instanceof Record section) {
      for (RecordComponent component : section.getClass().getRecordComponents()) {
        add(key + "." + component.getName(), valueOf(component, section));
      }
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((name, each) -> add(key + "." + name, each));
    } else if (value instanceof Optional<?> optional) {
      add(key, optional.isPresent() ? optional.get() : "");
    } else {
      values.put(key, String.valueOf(value));
    }
  }

  private static Object valueOf(RecordComponent component, Record section) {
    try {
      return component.getAccessor().invoke(section);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " is a public component of a public record", e);
    }
  }
}
