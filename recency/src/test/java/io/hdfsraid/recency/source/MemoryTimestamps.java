// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Timestamps that last as long as the test. */
public final class MemoryTimestamps implements Timestamps {
  private final Map<String, Instant> instants = new ConcurrentHashMap<>();

  @Override
  public Optional<Instant> instant(String name) {
    return Optional.ofNullable(instants.get(name));
  }

  @Override
  public void instant(String name, Instant value) {
    instants.put(name, value);
  }

  @Override
  public void remove(String name) {
    instants.remove(name);
  }
}
