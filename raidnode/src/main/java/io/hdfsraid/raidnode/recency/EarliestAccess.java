package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.namespace.FileAttributes;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds out since when HDFS has recorded access times: an access time that is later than the last
 * change of its file was set by a read, so by then somebody recorded reads. For one thread.
 */
final class EarliestAccess {
  private long earliest = Long.MAX_VALUE;

  void look(FileAttributes file) {
    if (file.accessed() > file.modified()) {
      earliest = Math.min(earliest, file.accessed());
    }
  }

  /** Empty when no read was ever recorded. */
  Optional<Instant> at() {
    return earliest == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(earliest));
  }
}
