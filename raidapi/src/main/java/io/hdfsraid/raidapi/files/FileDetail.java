// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.files;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.history.HistoryEntry;
import java.util.List;
import java.util.Optional;

/**
 * Everything that the daemon knows about one file.
 *
 * @param health health of the file with every stripe; empty without parity
 * @param history newest first, bounded
 */
public record FileDetail(
    FileSummary file, Optional<FileHealth> health, List<HistoryEntry> history) {
  public FileDetail {
    health = Absent.toEmpty(health);
    history = Absent.toEmpty(history);
  }
}
