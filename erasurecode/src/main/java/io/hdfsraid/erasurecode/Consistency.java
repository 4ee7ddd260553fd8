// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

/**
 * The result of a check whether the units of a stripe fit together.
 *
 * @param suspects the units each of which, if it alone were wrong, would explain a misfit. If at
 *     most one unit is wrong, a single suspect is that unit. No suspect means that more than one
 *     unit is wrong. Several suspects cannot be told apart by the given bytes
 * @param unchecked the given units about which the check says nothing: they are in no equation
 *     whose other units were all given, so any content would fit
 */
public record Consistency(Verdict verdict, UnitSet suspects, UnitSet unchecked) {

  /** The results there are. */
  public enum Verdict {
    /** All units but the unchecked ones fit together. */
    CODEWORD,
    /** At least one unit is wrong. */
    WRONG,
    /** Every given unit is unchecked. */
    UNDECIDED
  }
}
