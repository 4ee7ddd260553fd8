// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;

/** Lets tests of codes count what their matrices cost. */
public final class XorCount {
  private XorCount() {}

  /** The XORs of the portable kernel for this binary matrix. */
  public static int of(CodingMatrix matrix) {
    return XorSchedule.of(matrix).xors();
  }
}
