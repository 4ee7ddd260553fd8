// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

/** Recency: the file whose last use is older is colder, as in the order of the product's index. */
final class LastUse implements Temperature {
  private final double[] last;

  LastUse(int files) {
    this.last = new double[files];
  }

  @Override
  public void used(int file, long at, int position) {
    last[file] = at;
  }

  @Override
  public double of(int file) {
    return last[file];
  }
}
