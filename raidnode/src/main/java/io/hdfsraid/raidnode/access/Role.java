// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names what a person may do. Each role may do all that the ones before it may. */
public enum Role {
  /** Read the metrics and the health checks, nothing else. */
  METRICS,
  /** Ask anything. */
  VIEWER,
  /** Change what can be undone: raid, unraid, repair, scrub, pause. */
  OPERATOR,
  /** Change settings, delete parity for good, withdraw from the cluster. */
  ADMIN;

  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }

  /**
   * Returns the role of that name, in any case.
   *
   * @throws IllegalArgumentException that lists the roles
   */
  @JsonCreator
  public static Role of(String name) {
    return Arrays.stream(values())
        .filter(role -> role.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("'%s' is none of %s".formatted(name, names())));
  }

  private static String names() {
    return Arrays.stream(values()).map(Role::toString).collect(Collectors.joining(", "));
  }

  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
