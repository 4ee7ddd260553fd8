// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import java.io.IOException;

/** A part of the benchmark, in which some rivals take turns. */
@FunctionalInterface
interface Trial {
  /**
   * Measures everything once.
   *
   * @param turn number of the round; another rival begins in each
   */
  void round(int turn, ReadResults results) throws IOException;
}
