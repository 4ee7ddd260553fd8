package io.hdfsraid.erasurecode;

/**
 * Whether the units of a stripe fit together.
 *
 * @param suspects if they do not: each unit which alone would explain it, if it alone were wrong.
 *     One suspect is found guilty (given that no more than one unit is wrong); none means that more
 *     than one unit is wrong; several, that what was read cannot tell which of them it is
 */
public record Consistency(Verdict verdict, UnitSet suspects) {

  /** What can be said. */
  public enum Verdict {
    /** All units fit together. */
    CODEWORD,
    /** At least one unit is wrong. */
    WRONG,
    /** Too few units were given: any content of them would fit together. */
    UNDECIDED
  }
}
