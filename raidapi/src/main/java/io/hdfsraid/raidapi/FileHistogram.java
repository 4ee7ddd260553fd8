package io.hdfsraid.raidapi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How old, how large and how often replicated files are. A range holds its lower bound and not its
 * upper one, which is the lower one of the next.
 *
 * @param path a file, or the directory below which they are
 * @param at the moment from which ages are reckoned back
 * @param accessTimes whether any file is known to have been read after it was last changed; when
 *     not, ages are since the last change
 * @param ages all ranges, youngest first
 * @param sizes all ranges, smallest first
 * @param cells those with files in them
 */
public record FileHistogram(
    String path,
    Instant at,
    boolean accessTimes,
    Amount total,
    List<Age> ages,
    List<Size> sizes,
    List<Cell> cells) {

  /**
   * Some files.
   *
   * @param logicalBytes lengths of the files
   * @param physicalBytes on disk, all replicas; 0 for files of HDFS's own erasure coding
   */
  public record Amount(long files, long logicalBytes, long physicalBytes) {
    public static final Amount NONE = new Amount(0, 0, 0);

    public Amount plus(Amount other) {
      return new Amount(
          files + other.files,
          logicalBytes + other.logicalBytes,
          physicalBytes + other.physicalBytes);
    }
  }

  /**
   * Files that were last used about the same time ago.
   *
   * @param atLeast so long ago
   * @param cumulative these and all older ones: what a policy with this {@code coldAfter} looks at
   */
  public record Age(String name, Duration atLeast, Amount amount, Amount cumulative) {
    public Age {
      name = Absent.toEmpty(name);
    }
  }

  /**
   * Files of about the same size.
   *
   * @param atLeast in bytes
   */
  public record Size(String name, long atLeast, Amount amount) {
    public Size {
      name = Absent.toEmpty(name);
    }
  }

  /**
   * Files of the same age, size and replication.
   *
   * @param age a {@link Age#name}
   * @param size a {@link Size#name}
   * @param replication 0 for files of HDFS's own erasure coding
   */
  public record Cell(String age, String size, int replication, Amount amount) {
    public Cell {
      age = Absent.toEmpty(age);
      size = Absent.toEmpty(size);
    }
  }

  public FileHistogram {
    path = Absent.toEmpty(path);
    ages = Absent.toEmpty(ages);
    sizes = Absent.toEmpty(sizes);
    cells = Absent.toEmpty(cells);
  }
}
