// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

/** The severity of a check's result, from good to bad. */
public enum Grade {
  OK,
  /** It could not be found out. */
  UNKNOWN,
  /** Raiding works, but not as well as it could, or not everything can be raided. */
  WARN,
  /** Nothing can be raided before this is changed. */
  FAIL;

  Grade orWorse(Grade other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
