package io.hdfsraid.offline.bench.trace;

/** Recency: colder is what was used longer ago, as in the order of the product's index. */
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
