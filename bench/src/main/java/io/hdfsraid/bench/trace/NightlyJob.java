// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A backup, or a job that compares checksums. It reads most files one after the other. */
final class NightlyJob {
  private static final long MILLIS =
      (Workload.SCAN_TO_HOUR - Workload.SCAN_FROM_HOUR) * Workload.HOUR_MILLIS;

  private final long start;
  private final int[] files;
  private int done;

  NightlyJob(Workload workload, int day) {
    this.start = Workload.startOf(day, Workload.SCAN_FROM_HOUR);
    int[] some = new int[workload.filesAt(day, Workload.SCAN_FROM_HOUR)];
    int count = 0;
    for (int i = 0; i < some.length; i++) {
      // Whether it reads a file depends on nothing but the file, and so is the same every night.
      if (new SplittableRandom(workload.seed() ^ ~i).nextInt(100) < workload.scanned()) {
        some[count++] = i;
      }
    }
    this.files = Arrays.copyOf(some, count);
  }

  int size() {
    return files.length;
  }

  /** Goes on with what it reads before this time. */
  void readUntil(long end, Day day) {
    for (; done < files.length && nextAt() < end; done++) {
      day.add(files[done], Use.SCANNED, nextAt());
    }
  }

  private long nextAt() {
    return start + MILLIS * done / files.length;
  }
}
