package io.hdfsraid.raidapi.history;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.Optional;

/**
 * An event that the daemon has recorded.
 *
 * @param event the kind of event: raided, unraided, repaired, moved, purged, refused …
 * @param succeeded whether the work was completed
 * @param by who started it: a policy, a job, or an operator
 * @param detail what happened, with numbers; may be empty
 */
public record HistoryEntry(
    Instant at,
    String event,
    Optional<Long> inode,
    String path,
    boolean succeeded,
    String by,
    String detail,
    long bytesRead,
    long bytesWritten) {
  public HistoryEntry {
    inode = Absent.toEmpty(inode);
    path = Absent.toEmpty(path);
    by = Absent.toEmpty(by);
    detail = Absent.toEmpty(detail);
  }
}
