// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.SplittableRandom;

/**
 * Users who read popular files, in the rhythm of the day, and some of them again; see {@link
 * Workload}.
 */
final class Users {
  private final Workload workload;
  private final Popularity popularity;
  private final SplittableRandom random;
  private final AliasTable table;
  private final int[] latest;
  private double discoveries;
  private long reads;

  Users(Workload workload, Popularity popularity, SplittableRandom random) {
    this.workload = workload;
    this.popularity = popularity;
    this.random = random;
    this.table = new AliasTable(workload.filesAtEnd());
    this.latest = new int[Math.max(1, workload.readsPerDay() / Workload.REPEATED_IN_A_DAY)];
  }

  /** Receives the reads. */
  @FunctionalInterface
  interface Reader {
    void read(int file, long at);
  }

  /** Reads what is read in an hour, in order of time. */
  void read(int day, int hour, Reader reader) {
    int files = workload.filesAt(day, hour + 1);
    long start = Workload.startOf(day, hour);
    discoveries += Workload.REDISCOVERED_A_DAY_PERCENT / 100 * files / Workload.HOURS;
    for (; discoveries >= 1; discoveries--) {
      popularity.rediscover(random.nextInt(files), start, random);
    }
    popularity.settle(table, files, start);
    int count = readsUntil(hour + 1) - readsUntil(hour);
    for (int i = 0; i < count; i++) {
      long at = start + (long) ((i + random.nextDouble()) / count * Workload.HOUR_MILLIS);
      reader.read(next(), at);
    }
  }

  private int next() {
    int known = (int) Math.min(reads, latest.length);
    int file =
        known > 0 && random.nextInt(100) < workload.repeats()
            ? latest[random.nextInt(known)]
            : table.draw(random);
    latest[(int) (reads++ % latest.length)] = file;
    return file;
  }

  /** Of a day, in its first hours. */
  private int readsUntil(int hours) {
    double turn = 2 * Math.PI / Workload.HOURS;
    double swing =
        Math.sin(turn * (hours - Workload.BUSIEST_HOUR)) - Math.sin(turn * -Workload.BUSIEST_HOUR);
    double share = (hours + Workload.RHYTHM * swing / turn) / Workload.HOURS;
    return (int) Math.round(workload.readsPerDay() * share);
  }
}
