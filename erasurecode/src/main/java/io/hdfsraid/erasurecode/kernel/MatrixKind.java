// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

import io.hdfsraid.erasurecode.algebra.CodingMatrix;

/**
 * A kind of matrix. Kernels differ in which kind they multiply fast, so a kernel is chosen for
 * each.
 */
public enum MatrixKind {
  /** Any coefficients, as those of Reed-Solomon codes. */
  GENERAL,

  /** Zeros and ones only, so that sums are plain XORs: bit-matrix codes, local groups, RAID-5. */
  BINARY;

  static MatrixKind of(CodingMatrix matrix) {
    return matrix.isBinary() ? BINARY : GENERAL;
  }
}
