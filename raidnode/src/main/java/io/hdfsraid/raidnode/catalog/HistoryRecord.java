package io.hdfsraid.raidnode.catalog;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * An action that was done or tried: one line of the history.
 *
 * @param event e.g. {@code raided}, {@code unraided}, {@code repaired}, {@code moved}, {@code
 *     purged}
 * @param inode of the file it was done to
 * @param path of that file; may be empty
 * @param by the policy, the job or the user that wanted it
 * @param detail what happened, with numbers, or why it came to nothing; may be empty
 */
public record HistoryRecord(
    Instant at,
    String event,
    Optional<Long> inode,
    String path,
    boolean succeeded,
    String by,
    String detail,
    long bytesRead,
    long bytesWritten) {
  public HistoryRecord {
    at = at.truncatedTo(ChronoUnit.MILLIS);
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(inode, "inode");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(by, "by");
    Objects.requireNonNull(detail, "detail");
  }
}
