// SPDX-License-Identifier: Apache-2.0
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
 * @param request id of the request that it was done for; may be empty
 * @param reason what the sender of that request gave as reason; may be empty
 * @param before what was changed, as it was; may be empty
 * @param after what was changed, as it is now; may be empty
 * @param epoch how many daemons had been the active one by then, that of this event included; 0 if
 *     that is not known
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
    long bytesWritten,
    String request,
    String reason,
    String before,
    String after,
    long epoch) {
  public HistoryEntry {
    inode = Absent.toEmpty(inode);
    path = Absent.toEmpty(path);
    by = Absent.toEmpty(by);
    detail = Absent.toEmpty(detail);
    request = Absent.toEmpty(request);
    reason = Absent.toEmpty(reason);
    before = Absent.toEmpty(before);
    after = Absent.toEmpty(after);
  }
}
