// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileHistogram.Age;
import io.hdfsraid.raidapi.files.FileHistogram.Amount;
import io.hdfsraid.raidapi.files.FileHistogram.Cell;
import io.hdfsraid.raidapi.files.FileHistogram.Size;
import io.hdfsraid.recency.namespace.FileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts files by age, size and replication in constant memory. Used by one thread. */
public final class HistogramCount {
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  /**
   * A range of ages or sizes, from its bound to the next range.
   *
   * @param from lower bound in milliseconds or bytes
   */
  private record Range(String name, long from) {}

  private static final List<Range> AGES =
      List.of(
          new Range("<1d", 0),
          new Range("1-7d", DAY),
          new Range("7-30d", 7 * DAY),
          new Range("30-90d", 30 * DAY),
          new Range("90-180d", 90 * DAY),
          new Range("180-365d", 180 * DAY),
          new Range("1-2y", 365 * DAY),
          new Range("2-5y", 2 * 365 * DAY),
          new Range(">5y", 5 * 365 * DAY));

  private static final List<Range> SIZES =
      List.of(
          new Range("empty", 0),
          new Range("<1MiB", 1),
          new Range("1-16MiB", MIB),
          new Range("16-128MiB", 16 * MIB),
          new Range("128MiB-1GiB", 128 * MIB),
          new Range("1-10GiB", GIB),
          new Range(">10GiB", 10 * GIB));

  /** Returns the age; a file that was used in the future, by the clock of HDFS, is new. */
  private static int place(List<Range> ranges, long number) {
    int last = ranges.size() - 1;
    while (last > 0 && number < ranges.get(last).from()) {
      last--;
    }
    return last;
  }

  /** Numbers of files and bytes of one replication, by age and size. */
  private static final class Plane {
    private final int replication;
    private final long[] files = new long[AGES.size() * SIZES.size()];
    private final long[] bytes = new long[AGES.size() * SIZES.size()];

    Plane(int replication) {
      this.replication = replication;
    }

    void add(int age, int size, long length) {
      files[age * SIZES.size() + size]++;
      bytes[age * SIZES.size() + size] += length;
    }

    Amount at(int age, int size) {
      int place = age * SIZES.size() + size;
      return new Amount(files[place], bytes[place], bytes[place] * replication);
    }
  }

  private final Instant at;
  private final long now;
  private final Map<Integer, Plane> planes = new TreeMap<>();
  private boolean accessTimes;

  /**
   * Creates an empty count.
   *
   * @param at the time at which ages are computed
   */
  public HistogramCount(Instant at) {
    this.at = at;
    this.now = at.toEpochMilli();
  }

  public void add(FileAttributes file) {
    accessTimes |= file.accessed() > file.modified();
    planes
        .computeIfAbsent(file.replication(), Plane::new)
        .add(place(AGES, now - file.lastUsed()), place(SIZES, file.length()), file.length());
  }

  /**
   * Returns the histogram of everything counted so far.
   *
   * @param path the path below which the files are
   */
  public FileHistogram histogram(String path) {
    List<Cell> cells = new ArrayList<>();
    Amount[] byAge = none(AGES.size());
    Amount[] bySize = none(SIZES.size());
    for (int age = 0; age < byAge.length; age++) {
      for (Plane plane : planes.values()) {
        for (int size = 0; size < bySize.length; size++) {
          Amount amount = plane.at(age, size);
          if (amount.files() > 0) {
            cells.add(
                new Cell(AGES.get(age).name(), SIZES.get(size).name(), plane.replication, amount));
            byAge[age] = byAge[age].plus(amount);
            bySize[size] = bySize[size].plus(amount);
          }
        }
      }
    }
    List<Size> sizes = new ArrayList<>();
    for (int size = 0; size < bySize.length; size++) {
      sizes.add(new Size(SIZES.get(size).name(), SIZES.get(size).from(), bySize[size]));
    }
    List<Age> ages = ages(byAge);
    return new FileHistogram(path, at, accessTimes, ages.get(0).cumulative(), ages, sizes, cells);
  }

  private static List<Age> ages(Amount[] amounts) {
    List<Age> ages = new ArrayList<>();
    Amount older = Amount.NONE;
    for (int age = amounts.length - 1; age >= 0; age--) {
      Range range = AGES.get(age);
      older = older.plus(amounts[age]);
      ages.add(0, new Age(range.name(), Duration.ofMillis(range.from()), amounts[age], older));
    }
    return ages;
  }

  private static Amount[] none(int places) {
    Amount[] amounts = new Amount[places];
    Arrays.fill(amounts, Amount.NONE);
    return amounts;
  }
}
