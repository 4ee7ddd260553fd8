// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

/** Compares two files: the colder one is raided first. */
interface Temperature {
  /** Of a use that was before the trace. */
  int BEFORE = -1;

  /**
   * A file is used. Uses come in order of time; those before the trace first, in any order.
   *
   * @param position which use of the trace it is, from 0, or {@link #BEFORE}
   */
  void used(int file, long at, int position);

  /** Lower is colder; of two that are equal, the one with the lower number. */
  double of(int file);
}
