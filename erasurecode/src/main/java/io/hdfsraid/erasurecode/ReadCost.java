// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

/**
 * The price of reading one byte of a unit, in any unit of account (rack distance, load): finite and
 * more than 0.
 */
@FunctionalInterface
public interface ReadCost {
  /** Every unit costs the same. */
  ReadCost UNIFORM = unit -> 1;

  double perByte(int unit);
}
