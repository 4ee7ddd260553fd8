// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** One measured value for each round. Immutable. */
public final class Samples {
  private final double[] byRound;

  private Samples(double[] byRound) {
    this.byRound = byRound;
  }

  /**
   * Returns the samples of a run.
   *
   * @param byRound one or more, in the order of the rounds
   */
  public static Samples of(double... byRound) {
    if (byRound.length == 0) {
      throw new IllegalArgumentException("Nothing was measured");
    }
    return new Samples(byRound.clone());
  }

  public Samples times(double factor) {
    return new Samples(DoubleStream.of(byRound).map(sample -> sample * factor).toArray());
  }

  /** Round by round: what slows down a whole round slows down both. */
  public Samples ratioTo(Samples other) {
    if (other.byRound.length != byRound.length) {
      throw new IllegalArgumentException(
          "%d rounds cannot be compared with %d".formatted(byRound.length, other.byRound.length));
    }
    return new Samples(
        IntStream.range(0, byRound.length)
            .mapToDouble(round -> byRound[round] / other.byRound[round])
            .toArray());
  }

  public double median() {
    return quantile(0.5);
  }

  /** Below it lies a quarter of the samples. */
  public double lowerQuartile() {
    return quantile(0.25);
  }

  /** Above it lies a quarter of the samples. */
  public double upperQuartile() {
    return quantile(0.75);
  }

  /**
   * Returns the value below which a share of the samples lies, between two samples in proportion.
   *
   * @param share 0 to 1
   */
  public double quantile(double share) {
    double[] sorted = byRound.clone();
    Arrays.sort(sorted);
    double position = share * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }

  @Override
  public String toString() {
    return Arrays.toString(byRound);
  }
}
