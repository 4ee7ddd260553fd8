package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.util.Optional;

/**
 * One unit of a stripe.
 *
 * @param unit its position, data first
 * @param length in bytes
 * @param node where it lives; empty when it lives nowhere
 * @param detail what is wrong with it; may be empty
 */
public record UnitView(
    int unit,
    boolean parity,
    long blockId,
    long length,
    State state,
    Optional<String> node,
    Optional<String> rack,
    String detail) {
  /** Whether it can be read. */
  public enum State {
    LIVE,
    /** No replica is known. */
    MISSING,
    /** All replicas are known to be bad. */
    CORRUPT,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  public UnitView {
    if (unit < 0) {
      throw new IllegalArgumentException("Units are numbered from 0, but got " + unit);
    }
    node = Absent.toEmpty(node);
    rack = Absent.toEmpty(rack);
    detail = Absent.toEmpty(detail);
  }
}
