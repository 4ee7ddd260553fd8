package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** How well a stripe, or the worst stripe of a file, is. The worse the later, except UNKNOWN. */
public enum HealthState {
  /** All units are live. */
  HEALTHY,
  /** Units are lost, all of them can be rebuilt. */
  DEGRADED,
  /** More is lost than the code can rebuild from what is left. */
  UNRECOVERABLE,
  /** It could not be found out. */
  @JsonEnumDefaultValue
  UNKNOWN
}
