// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidnode.access.Cause;
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
 * @param cause the request that it was done for
 * @param before what was changed, as it was; may be empty
 * @param after what was changed, as it is now; may be empty
 * @param epoch how many daemons had been the active one by then, that of this line included; 0 if
 *     that is not known
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
    long bytesWritten,
    Cause cause,
    String before,
    String after,
    long epoch) {
  public HistoryRecord {
    at = at.truncatedTo(ChronoUnit.MILLIS);
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(inode, "inode");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(by, "by");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(cause, "cause");
    Objects.requireNonNull(before, "before");
    Objects.requireNonNull(after, "after");
  }

  /** Creates a line about an action of the calling thread that changed nothing it could name. */
  public HistoryRecord(
      Instant at,
      String event,
      Optional<Long> inode,
      String path,
      boolean succeeded,
      String by,
      String detail,
      long bytesRead,
      long bytesWritten) {
    this(
        at,
        event,
        inode,
        path,
        succeeded,
        by,
        detail,
        bytesRead,
        bytesWritten,
        Cause.current(),
        "",
        "",
        0);
  }

  /** Returns the same line with what was changed. */
  public HistoryRecord changing(String from, String to) {
    return with(from, to, epoch);
  }

  /** Returns the same line as one of this epoch. */
  HistoryRecord in(long now) {
    return with(before, after, now);
  }

  private HistoryRecord with(String from, String to, long now) {
    return new HistoryRecord(
        at,
        event,
        inode,
        path,
        succeeded,
        by,
        detail,
        bytesRead,
        bytesWritten,
        cause,
        from,
        to,
        now);
  }
}
