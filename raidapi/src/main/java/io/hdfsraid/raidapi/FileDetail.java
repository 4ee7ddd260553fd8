package io.hdfsraid.raidapi;

import java.util.List;
import java.util.Optional;

/**
 * All about one file.
 *
 * @param health with every stripe; empty when it has no parity
 * @param history newest first, bounded
 */
public record FileDetail(FileView file, Optional<FileHealth> health, List<HistoryEntry> history) {
  public FileDetail {
    health = Absent.toEmpty(health);
    history = Absent.toEmpty(history);
  }
}
