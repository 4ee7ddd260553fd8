package io.hdfsraid.erasurecode;

/**
 * The result of a check whether the units of a stripe fit together.
 *
 * @param suspects if they do not: each unit which alone would explain it, if it alone were wrong.
 *     One suspect is found guilty (given that no more than one unit is wrong); none means that more
 *     than one unit is wrong; several, that what was read cannot tell which of them it is
 * @param unchecked the given units about which nothing is said, as any content of them would fit to
 *     the others: they are in no equation whose other units were all given
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
