package io.hdfsraid.offline.bench.trace;

/**
 * Frequency: colder is what was used less often, ever since it was written. Of those that were used
 * equally often, the one that was used longer ago.
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
