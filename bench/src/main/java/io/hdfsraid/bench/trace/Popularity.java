// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.SplittableRandom;

/** The probability that a file is read next, see {@link Workload}. */
final class Popularity {
  private final double skew;
  private final double[] atBirth;
  private final long[] born;
  private final double[] now;

  Popularity(Workload workload, long[] written, SplittableRandom random) {
    this.skew = workload.skew();
    this.born = written.clone();
    this.now = new double[written.length];
    this.atBirth = new double[written.length];
    for (int i = 0; i < written.length; i++) {
      int other = random.nextInt(i + 1);
      atBirth[i] = atBirth[other];
      atBirth[other] = weight(i + 1);
    }
  }

  private double weight(int rank) {
    return Math.pow(rank, -skew);
  }

  /** It is as popular as a new file from now on. */
  void rediscover(int file, long at, SplittableRandom random) {
    atBirth[file] = weight(1 + random.nextInt(atBirth.length));
    born[file] = at;
  }

  /** Draws by the weights of this moment, until it is asked again; of the first {@code files}. */
  void settle(AliasTable table, int files, long at) {
    for (int i = 0; i < files; i++) {
      double days = (double) (at - born[i]) / Workload.DAY_MILLIS;
      now[i] = atBirth[i] / (1 + Math.max(0, days) / Workload.DAYS_TO_HALF);
    }
    table.fill(now, files);
  }
}
