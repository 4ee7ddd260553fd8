// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A warehouse as Hive and Spark leave it: {@code /warehouse/db/table/dt=…/hour=…/part-…}. The path
 * of an inode is computed from its number, so the namespace needs no memory. Inodes are created
 * hour by hour, for all tables in turn, and numbered in that order.
 */
final class HiveNamespace implements Image {
  static final int FILES_IN_DIRECTORY = 64;
  static final int HOURS = 24;
  static final int DAYS = 60;
  static final int TABLES_IN_DATABASE = 50;
  static final int NAME_BYTES = 40;

  /** Directories of a day of a table with what is in them: the day, and hours with files. */
  private static final int IN_DAY = 1 + HOURS * (1 + FILES_IN_DIRECTORY);

  private static final LocalDate FIRST_DAY = LocalDate.of(2026, 1, 1);
  private static final long FIRST_MOMENT =
      FIRST_DAY.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
  private static final long HOUR = 3_600_000;
  private static final long DAY = HOURS * HOUR;
  private static final long BLOCK = 128L << 20;
  private static final int OWNERS = 40;

  /** As a NameNode with 100 GB of heap has them, in whose order its image tells inodes. */
  private static final int BUCKETS = 1 << 27;

  private static final List<String> DATES =
      FIRST_DAY.datesUntil(FIRST_DAY.plusDays(DAYS)).map(LocalDate::toString).toList();

  private final long files;
  private final long seed;
  private final int tables;
  private final int databases;
  private final long firstInDays;
  private final long days;

  /**
   * @param files about how many; a day of a table has all of its files
   */
  HiveNamespace(long files, long seed) {
    this.seed = seed;
    long inDay = (long) HOURS * FILES_IN_DIRECTORY;
    this.days = Math.max(1, (files + inDay / 2) / inDay);
    this.files = days * inDay;
    this.tables = Math.toIntExact((days + DAYS - 1) / DAYS);
    this.databases = (tables + TABLES_IN_DATABASE - 1) / TABLES_IN_DATABASE;
    this.firstInDays = Inode.ROOT + 2 + databases + tables;
  }

  long files() {
    return files;
  }

  int tables() {
    return tables;
  }

  /** Those with files in them. */
  long leaves() {
    return days * HOURS;
  }

  long directories() {
    return inodes() - files;
  }

  @Override
  public long transaction() {
    return 1_000_000;
  }

  @Override
  public long inodes() {
    return 2 + databases + tables + days * IN_DAY;
  }

  /** When the last of the files was written, in milliseconds. */
  static long end() {
    return FIRST_MOMENT + DAYS * DAY;
  }

  /** In the order of hash buckets; the places as the directories come. */
  @Override
  public void read(Visitor visitor) {
    long end = Inode.ROOT + inodes();
    for (long bucket = 0; bucket < Math.min(BUCKETS, end); bucket++) {
      for (long id = bucket; id < end; id += BUCKETS) {
        if (id >= Inode.ROOT) {
          visitor.inode(inode(id));
        }
      }
    }
    for (long id = Inode.ROOT + 1; id < end; id++) {
      visitor.place(id, parent(id));
    }
  }

  private Inode inode(long id) {
    String name = name(id);
    return isFile(id)
        ? new Inode.File(id, name, attributes(id))
        : new Inode.Directory(id, name, "hive", "hadoop", 0, Inode.Snapshots.NONE);
  }

  private boolean isFile(long id) {
    return id >= firstInDays && inHour(id) > 0;
  }

  /**
   * Of the inodes in a day: 0 for the day itself and for each hour, else which file of the hour.
   */
  private long inHour(long id) {
    long inDay = (id - firstInDays) % IN_DAY;
    return inDay == 0 ? 0 : (inDay - 1) % (1 + FILES_IN_DIRECTORY);
  }

  long parent(long id) {
    if (id <= Inode.ROOT + 1) {
      return Inode.ROOT;
    }
    long rest = id - Inode.ROOT - 2;
    if (rest < databases) {
      return Inode.ROOT + 1;
    }
    rest -= databases;
    if (rest < tables) {
      return Inode.ROOT + 2 + rest / TABLES_IN_DATABASE;
    }
    rest -= tables;
    long day = rest / IN_DAY;
    long inDay = rest % IN_DAY;
    if (inDay == 0) {
      return Inode.ROOT + 2 + databases + day % tables;
    }
    long inHour = inHour(id);
    return inHour == 0 ? firstInDays + day * IN_DAY : id - inHour;
  }

  private String name(long id) {
    if (id == Inode.ROOT) {
      return "";
    }
    if (id == Inode.ROOT + 1) {
      return "warehouse";
    }
    long rest = id - Inode.ROOT - 2;
    if (rest < databases) {
      return "db%02d.db".formatted(rest);
    }
    rest -= databases;
    if (rest < tables) {
      return "table_%04d".formatted(rest);
    }
    rest -= tables;
    long inDay = rest % IN_DAY;
    if (inDay == 0) {
      return "dt=" + DATES.get((int) (rest / IN_DAY / tables));
    }
    long inHour = inHour(id);
    return inHour == 0
        ? "hour=%02d".formatted((inDay - 1) / (1 + FILES_IN_DIRECTORY))
        : partName(inHour - 1, mixed(id, 1));
  }

  /** Of which 64 bits are random. */
  static String partName(long part, long random) {
    char[] name = "part-00000-0000000000000000-c000.parquet".toCharArray();
    long number = part;
    for (int at = 9; at >= 5; at--) {
      name[at] = (char) ('0' + number % 10);
      number /= 10;
    }
    for (int at = 26, shift = 0; at >= 11; at--, shift += 4) {
      name[at] = Character.forDigit((int) (random >>> shift) & 15, 16);
    }
    return new String(name);
  }

  /**
   * Which hour of which table, in the order in which they were written, to the number of its
   * directory.
   */
  private long leaf(long index) {
    long day = index / HOURS;
    return firstInDays + day * IN_DAY + 1 + (index % HOURS) * (1 + FILES_IN_DIRECTORY);
  }

  String leafPath(long index) {
    return path(leaf(index));
  }

  String filePath(long leafIndex, int file) {
    long id = leaf(leafIndex) + 1 + file;
    return path(id);
  }

  long fileId(long leafIndex, int file) {
    return leaf(leafIndex) + 1 + file;
  }

  private String path(long id) {
    return id == Inode.ROOT ? "" : path(parent(id)) + "/" + name(id);
  }

  FileAttributes attributes(long id) {
    long day = (id - firstInDays) / IN_DAY;
    long hour = (id - firstInDays) % IN_DAY / (1 + FILES_IN_DIRECTORY);
    long modified =
        FIRST_MOMENT + day / tables * DAY + Math.min(hour, 23) * HOUR + part(id, 2, HOUR);
    // Two of five have been read since, most of them soon; all were made a little before the end.
    long accessed =
        part(id, 3, 5) < 2
            ? Math.min(end(), modified + HOUR + (long) (-Math.log(1 - share(id, 4)) * 5 * DAY))
            : modified - 1 - part(id, 5, 60_000);
    long length = (long) Math.min(4e9, Math.exp(16 + 3 * (share(id, 6) + share(id, 7) - 1)));
    int owner = (int) (day % tables % OWNERS);
    return new FileAttributes(
        length,
        BLOCK,
        (int) ((length + BLOCK - 1) / BLOCK),
        3,
        modified,
        accessed,
        OWNER_NAMES.get(owner),
        "hadoop",
        0,
        Set.of());
  }

  private static final List<String> OWNER_NAMES =
      java.util.stream.IntStream.range(0, OWNERS)
          .mapToObj(owner -> String.format(Locale.ROOT, "etl_%02d", owner))
          .toList();

  private long part(long id, int salt, long of) {
    return Math.floorMod(mixed(id, salt), of);
  }

  private double share(long id, int salt) {
    return (mixed(id, salt) >>> 11) * 0x1p-53;
  }

  /** SplitMix64 of the number. */
  private long mixed(long id, int salt) {
    long z = seed + 31L * salt + id * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
