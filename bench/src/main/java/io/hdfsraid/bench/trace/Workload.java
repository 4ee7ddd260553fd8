// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.List;
import java.util.Locale;

/**
 * How a synthetic {@link Trace} comes about. All of it is assumed; none is taken from a cluster.
 *
 * <ul>
 *   <li><b>Files</b>: as many as {@code files} at first, written evenly over the {@value
 *       #DAYS_BEFORE} days before. Every hour new ones come, {@value #NEW_A_DAY_PERCENT} % of
 *       {@code files} a day. None is deleted.
 *   <li><b>Sizes</b>: log-normal, median 64 MiB, sigma 1.5 of the natural logarithm (so 197 MiB on
 *       average), regardless of how popular a file is.
 *   <li><b>Popularity</b>: Zipf's law. A file has a rank r, in random order, and a weight at birth
 *       of {@code 1 / r^skew}. A read is of a file with the probability of its weight.
 *   <li><b>Repeats</b>: but {@code repeats} per cent of the reads are of a file that was read
 *       within the last {@code readsPerDay / 4} reads; which of these is uniform.
 *   <li><b>Age</b>: at {@code a} days the weight is {@code 1 / (1 + a/7)} of that at birth.
 *   <li><b>Drift</b>: {@value #REDISCOVERED_A_DAY_PERCENT} % of all files a day, chosen at random,
 *       get another rank, drawn uniformly, and are as popular as new ones.
 *   <li><b>Rhythm</b>: users read {@code readsPerDay} times a day; around 14:00 four times as often
 *       as around 2:00, a cosine in between. Weights are constant within an hour.
 *   <li><b>The nightly job</b>: from 1:00 to 5:00 it reads {@code scanned} per cent of all files
 *       that there are at 1:00, each once, evenly, in the order in which they were written, and
 *       every night the same ones; 0: there is no such job.
 * </ul>
 *
 * @param watched days at the beginning of which only the history is made: nothing is raided
 * @param days after them
 */
public record Workload(
    int files,
    int watched,
    int days,
    int readsPerDay,
    double skew,
    int repeats,
    int scanned,
    long seed) {
  static final int DAYS_BEFORE = 100;
  static final int NEW_A_DAY_PERCENT = 1;
  static final double REDISCOVERED_A_DAY_PERCENT = 0.2;
  static final double MEDIAN_BYTES = 64 << 20;
  static final double SIGMA = 1.5;
  static final double DAYS_TO_HALF = 7;
  static final int REPEATED_IN_A_DAY = 4;
  static final double RHYTHM = 0.6;
  static final int BUSIEST_HOUR = 14;
  static final int SCAN_FROM_HOUR = 1;
  static final int SCAN_TO_HOUR = 5;
  static final int HOURS = 24;
  static final long HOUR_MILLIS = 3_600_000;
  static final long DAY_MILLIS = HOURS * HOUR_MILLIS;

  /** Two reads are never at the same millisecond. */
  private static final int MOST_READS = 10_000_000;

  private static final int MOST_FILES = 10_000_000;
  private static final int MOST_DAYS = 366;

  public Workload {
    if (files < 1 || files > MOST_FILES || readsPerDay < 1 || readsPerDay > MOST_READS) {
      throw new IllegalArgumentException(
          "A trace has 1 to %d files and 1 to %d reads a day, but got %d and %d"
              .formatted(MOST_FILES, MOST_READS, files, readsPerDay));
    }
    if (watched < 0 || days < 1 || watched > MOST_DAYS - days) {
      throw new IllegalArgumentException(
          "A trace has 1 day or more and at most %d, but got %d after %d that are watched"
              .formatted(MOST_DAYS, days, watched));
    }
    if (!(skew >= 0 && skew <= 3) || repeats < 0 || repeats > 100 || scanned < 0 || scanned > 100) {
      throw new IllegalArgumentException(
          "A trace has a skew of 0 to 3, 0 to 100 %% of repeats and of files that a job reads, but got %s, %d and %d"
              .formatted(skew, repeats, scanned));
    }
  }

  /** Without the nightly job. */
  public Workload quiet() {
    return new Workload(files, watched, days, readsPerDay, skew, repeats, 0, seed);
  }

  int allDays() {
    return watched + days;
  }

  /** How many there are at this hour of this day, before those of that hour. */
  int filesAt(int day, int hour) {
    long hours = (long) day * HOURS + hour;
    return Math.toIntExact(files + hours * files * NEW_A_DAY_PERCENT / (100 * HOURS));
  }

  /** In milliseconds since the trace began. */
  static long startOf(int day, int hour) {
    return day * DAY_MILLIS + hour * HOUR_MILLIS;
  }

  int filesAtEnd() {
    return filesAt(allDays(), 0);
  }

  /** Of all files on all days, at most. */
  public long uses() {
    return allDays() * (readsPerDay + (long) filesAtEnd() * scanned / 100) + filesAtEnd();
  }

  /** As people read it. */
  public List<String> words() {
    return List.of(
        String.format(
            Locale.ROOT,
            "The trace is synthetic: %,d files at first, written evenly over the %d days before,"
                + " and %d %% of that more each day, by the hour; none is deleted.",
            files,
            DAYS_BEFORE,
            NEW_A_DAY_PERCENT),
        "Sizes are log-normal, median 64 MiB, sigma 1.5, regardless of popularity. Popularity: Zipf's law, exponent %s, ranks in random order; at an age of a days"
            .formatted(skew),
        "a file has 1/(1 + a/7) of the weight it had when new; %s %% of all files a day get another rank, and count as new. %d %% of the reads repeat one of the last"
            .formatted(REDISCOVERED_A_DAY_PERCENT, repeats),
        String.format(
            Locale.ROOT,
            "%,d; the others are independent of each other. Users read %,d times a day, around"
                + " 14:00 four times as often as around 2:00. In rows that say so,",
            readsPerDay / REPEATED_IN_A_DAY,
            readsPerDay),
        "a nightly job reads %d %% of all files from 1:00 to 5:00, the same ones each night, each once and in the order in which they were written. Seed %d."
            .formatted(scanned, seed));
  }
}
