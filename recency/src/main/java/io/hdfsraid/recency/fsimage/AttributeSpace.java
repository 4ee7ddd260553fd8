// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The namespaces of extended attributes, with the numbers that HDFS gives them. */
enum AttributeSpace {
  USER(0),
  TRUSTED(1),
  SECURITY(2),
  SYSTEM(3),
  RAW(4);

  private static final int LOW_SHIFT = 30;
  private static final int HIGH_SHIFT = 5;

  private final int number;

  AttributeSpace(int number) {
    this.number = number;
  }

  /**
   * Returns the namespace of an attribute number: two bits are at the top, a third was added later.
   */
  static Optional<AttributeSpace> of(int attribute) {
    int number = attribute >>> LOW_SHIFT | (attribute >>> HIGH_SHIFT & 1) << 2;
    return Arrays.stream(values()).filter(space -> space.number == number).findFirst();
  }

  /** Returns the bits of the namespace in an attribute number. */
  int bits() {
    return (number & 3) << LOW_SHIFT | number >>> 2 << HIGH_SHIFT;
  }

  String prefix() {
    return name().toLowerCase(Locale.ROOT) + ".";
  }
}
