// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.savings;

import io.hdfsraid.raidapi.Absent;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The savings of raiding, day by day: the last look of each day, and its parts by the first.
 *
 * @param days in their order; days on which no daemon ran are missing
 */
public record SavingsTrend(List<Day> days) {
  /**
   * The last look at a day, which the daemon takes once an hour.
   *
   * @param day in UTC
   * @param files number of raided files
   * @param logicalBytes lengths of all files with parity
   * @param physicalBytes bytes that the files and their parity occupied on disks
   * @param savedBytes bytes that the files would have occupied in addition with their original
   *     replication
   * @param policies bytes saved by the policies and operators that save most, as counted at the
   *     first look of the day; empty if it is more than 400 days ago
   * @param directories the directories of at most two levels whose files save most, as counted with
   *     the policies
   */
  public record Day(
      LocalDate day,
      long files,
      long logicalBytes,
      long physicalBytes,
      long savedBytes,
      Map<String, Long> policies,
      List<Directory> directories) {
    public Day {
      policies = Absent.toEmpty(policies);
      directories = Absent.toEmpty(directories);
    }
  }

  /**
   * A directory, and what its files save.
   *
   * @param path two levels below the root, with all below it; or one level or none, with the files
   *     in it
   */
  public record Directory(String path, long savedBytes) {}

  public SavingsTrend {
    days = Absent.toEmpty(days);
  }
}
