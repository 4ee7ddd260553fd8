// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

/**
 * Frequency: the file with fewer uses since it was written is colder; of two files with equal
 * counts, the one whose last use is older.
 */
final class Count implements Temperature {
  /** Makes less than one of all the milliseconds of any trace. */
  private static final double MILLI = 0x1p-36;

  private final double[] count;
  private final double[] key;

  Count(int files) {
    this.count = new double[files];
    this.key = new double[files];
  }

  @Override
  public void used(int file, long at, int position) {
    count[file]++;
    key[file] = count[file] + at * MILLI;
  }

  @Override
  public double of(int file) {
    return key[file];
  }
}
