// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.savings;

import io.hdfsraid.raidapi.Absent;
import java.time.LocalDate;
import java.util.List;

/**
 * The savings of raiding, day by day.
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
   */
  public record Day(
      LocalDate day, long files, long logicalBytes, long physicalBytes, long savedBytes) {}

  public SavingsTrend {
    days = Absent.toEmpty(days);
  }
}
