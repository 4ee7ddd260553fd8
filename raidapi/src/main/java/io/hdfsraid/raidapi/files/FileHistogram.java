// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.files;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.Absent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How old, how large and how often replicated files are. Each range includes its lower bound. Its
 * upper bound is the lower bound of the next range.
 *
 * @param path the file, or the directory that holds the files
 * @param at the time at which ages are computed
 * @param accessTimes whether an access after the last change is known for any file; if not, ages
 *     count from the last change
 * @param ages all ranges, youngest first
 * @param sizes all ranges, smallest first
 * @param cells the combinations that have files
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
   * A number of files and their bytes.
   *
   * @param logicalBytes lengths of the files
   * @param physicalBytes bytes on disk, all replicas; 0 for files with HDFS's own erasure coding
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
   * @param atLeast lower bound of the age
   * @param cumulative the files of this range and of all older ranges; a policy with this {@code
   *     coldAfter} considers them
   */
  public record Age(
      String name,
      @JsonProperty("atLeastSeconds") Duration atLeast,
      Amount amount,
      Amount cumulative) {
    public Age {
      name = Absent.toEmpty(name);
    }
  }

  /**
   * Files of about the same size.
   *
   * @param atLeast lower bound of the size in bytes
   */
  public record Size(String name, long atLeast, Amount amount) {
    public Size {
      name = Absent.toEmpty(name);
    }
  }

  /**
   * Files of the same age, size and replication.
   *
   * @param age an {@link Age#name}
   * @param size a {@link Size#name}
   * @param replication 0 for files with HDFS's own erasure coding
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
