// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.health;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import io.hdfsraid.raidapi.Absent;
import java.util.Optional;

/**
 * One unit of a stripe and where it lies.
 *
 * @param unit position in the stripe, data first
 * @param length in bytes
 * @param node address of a DataNode that holds the unit; empty if no node does
 * @param detail what is wrong with the unit; may be empty
 */
public record UnitReport(
    int unit,
    boolean parity,
    long blockId,
    long length,
    State state,
    Optional<String> node,
    Optional<String> rack,
    String detail) {
  /** Whether a unit can be read. */
  public enum State {
    LIVE,
    /** No replica is known. */
    MISSING,
    /** All replicas are known to be bad. */
    CORRUPT,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  public UnitReport {
    if (unit < 0) {
      throw new IllegalArgumentException("Units are numbered from 0, but got " + unit);
    }
    node = Absent.toEmpty(node);
    rack = Absent.toEmpty(rack);
    detail = Absent.toEmpty(detail);
  }
}
