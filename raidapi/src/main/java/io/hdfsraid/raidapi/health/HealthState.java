// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.health;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/**
 * The health of a stripe, or of the worst stripe of a file. Later constants are worse, except
 * UNKNOWN.
 */
public enum HealthState {
  /** All units are live. */
  HEALTHY,
  /** Units are lost, and all of them can be rebuilt. */
  DEGRADED,
  /** More units are lost than the code can rebuild. */
  UNRECOVERABLE,
  /** The state could not be determined. */
  @JsonEnumDefaultValue
  UNKNOWN
}
