// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The events of the files of a cluster, day by day. The same {@link Workload} gives the same trace.
 * Files have the numbers 0, 1, … in the order in which they were written. A use takes 8 bytes.
 */
public final class Trace {
  private final Workload workload;
  private final long[] written;
  private final long[] sizes;
  private final List<Day> days;

  private Trace(Workload workload, long[] written, long[] sizes, List<Day> days) {
    this.workload = workload;
    this.written = written;
    this.sizes = sizes;
    this.days = days;
  }

  public static Trace of(Workload workload) {
    SplittableRandom random = new SplittableRandom(workload.seed());
    // Each has its own generator, so that the users behave the same with and without the job.
    SplittableRandom forFiles = random.split();
    SplittableRandom forUsers = random.split();
    int files = workload.filesAtEnd();
    long[] written = writtenAt(workload);
    long[] sizes = new long[files];
    for (int i = 0; i < files; i++) {
      double logarithm = Workload.SIGMA * forFiles.nextGaussian();
      sizes[i] = Math.max(1, Math.round(Workload.MEDIAN_BYTES * Math.exp(logarithm)));
    }
    Users users = new Users(workload, new Popularity(workload, written, forFiles), forUsers);
    List<Day> days = new ArrayList<>();
    for (int day = 0; day < workload.allDays(); day++) {
      days.add(day(workload, day, users));
    }
    return new Trace(workload, written, sizes, days);
  }

  private static long[] writtenAt(Workload workload) {
    long[] written = new long[workload.filesAtEnd()];
    int before = workload.files();
    for (int i = 0; i < before; i++) {
      written[i] = (long) (i - before) * Workload.DAYS_BEFORE * Workload.DAY_MILLIS / before;
    }
    int file = before;
    for (int day = 0; day < workload.allDays(); day++) {
      for (int hour = 0; hour < Workload.HOURS; hour++) {
        int end = workload.filesAt(day, hour + 1);
        Arrays.fill(written, file, end, Workload.startOf(day, hour));
        file = end;
      }
    }
    return written;
  }

  private static Day day(Workload workload, int number, Users users) {
    NightlyJob job = new NightlyJob(workload, number);
    int news = workload.filesAt(number + 1, 0) - workload.filesAt(number, 0);
    Day day = new Day(Workload.startOf(number, 0), job.size() + workload.readsPerDay() + news);
    for (int hour = 0; hour < Workload.HOURS; hour++) {
      long start = Workload.startOf(number, hour);
      int files = workload.filesAt(number, hour + 1);
      for (int i = workload.filesAt(number, hour); i < files; i++) {
        day.add(i, Use.WRITTEN, start);
      }
      users.read(
          number,
          hour,
          (file, at) -> {
            job.readUntil(at, day);
            day.add(file, Use.READ, at);
          });
    }
    job.readUntil(Long.MAX_VALUE, day);
    day.trim();
    return day;
  }

  /** The same uses of files of which one is as large as the other. */
  public Trace withEqualSizes() {
    long[] equal = new long[sizes.length];
    Arrays.fill(equal, 1);
    return new Trace(workload, written, equal, days);
  }

  Workload workload() {
    return workload;
  }

  List<Day> days() {
    return days;
  }

  /** In all, at the end. */
  int files() {
    return sizes.length;
  }

  long size(int file) {
    return sizes[file];
  }

  /** In milliseconds since the trace began; negative before. */
  long written(int file) {
    return written[file];
  }

  /** Of all days. */
  public int uses() {
    return days.stream().mapToInt(Day::size).reduce(0, Math::addExact);
  }
}
