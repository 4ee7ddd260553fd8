// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.Arrays;

/**
 * Knows only the uses that HDFS records as access times. A use changes the access time of its file
 * if that is older than the precision, {@code dfs.namenode.accesstime.precision}; otherwise it is
 * not recorded.
 */
final class RecordedUse implements Temperature {
  private final Temperature temperature;
  private final long precision;
  private final long[] recorded;

  RecordedUse(Temperature temperature, int files, long precision) {
    this.temperature = temperature;
    this.precision = precision;
    this.recorded = new long[files];
    Arrays.fill(recorded, Long.MIN_VALUE / 2);
  }

  @Override
  public void used(int file, long at, int position) {
    if (at > recorded[file] + precision) {
      recorded[file] = at;
      temperature.used(file, at, position);
    }
  }

  @Override
  public double of(int file) {
    return temperature.of(file);
  }
}
