// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.time.Duration;

/**
 * Recency and frequency combined: colder is what has the lower smoothed count, in which each use
 * counts half as much after each half-life; writing a file is its first use. That is LRFU with
 * {@code F(x) = 2^(-x / halfLife)} of Lee et al., "LRFU: A Spectrum of Policies that Subsumes the
 * Least Recently Used and Least Frequently Used Policies", IEEE Transactions on Computers 50(12),
 * 2001: with a half-life near 0 it is recency, with an endless one frequency.
 *
 * <p>All counts shrink alike, so their order changes only where a file is used. Of two files it is
 * the order of
 *
 * <pre>lastUse + halfLife * log2(count at the last use)</pre>
 *
 * at any time: a number of milliseconds that can be the key of an index as the last use itself is.
 */
final class SmoothedCount implements Temperature {
  private static final double LN_2 = Math.log(2);

  private final double halfLife;
  private final double[] count;
  private final double[] last;
  private final double[] key;

  SmoothedCount(int files, Duration halfLife) {
    this.halfLife = halfLife.toMillis();
    this.count = new double[files];
    this.last = new double[files];
    this.key = new double[files];
  }

  @Override
  public void used(int file, long at, int position) {
    count[file] = 1 + count[file] * Math.exp((last[file] - at) * LN_2 / halfLife);
    last[file] = at;
    key[file] = at + halfLife * Math.log(count[file]) / LN_2;
  }

  @Override
  public double of(int file) {
    return key[file];
  }
}
