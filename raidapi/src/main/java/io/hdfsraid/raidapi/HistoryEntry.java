package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.Optional;

/**
 * One thing that was done, or tried.
 *
 * @param event in the daemon's words: raided, unraided, repaired, moved, purged, refused …
 * @param succeeded whether it came to its end
 * @param by who wanted it: the name of a policy, of a job, or the user of a request
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
