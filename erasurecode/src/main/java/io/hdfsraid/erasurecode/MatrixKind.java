package io.hdfsraid.erasurecode;

/** Kernels differ in what they are fast at: one is chosen for each kind of matrix. */
public enum MatrixKind {
  /** Any coefficients, as those of Reed-Solomon codes. */
  GENERAL,

  /** Zeros and ones only, so that sums are plain XORs: bit-matrix codes, local groups, RAID-5. */
  BINARY;

  static MatrixKind of(CodingMatrix matrix) {
    return matrix.isBinary() ? BINARY : GENERAL;
  }
}
