// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.repairs;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.StripeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The repair of one stripe.
 *
 * @param inode inode id of the file that the stripe belongs to, or the id of its group
 * @param lost positions of lost units, data first
 * @param furtherLosses number of further losses the stripe tolerates; its priority
 * @param detectedBy the source that reported the loss first
 * @param attempts number of attempts so far
 * @param reason why the repair is in this state; may be empty
 * @param nextAttempt empty if the repair is running or will not be tried by itself
 * @param bytesRead bytes read so far, over all attempts
 */
public record QueuedRepair(
    long inode,
    String path,
    int stripe,
    String codec,
    List<Integer> lost,
    int furtherLosses,
    State state,
    String detectedBy,
    Instant since,
    int attempts,
    String reason,
    Optional<Instant> nextAttempt,
    long bytesRead) {
  /** The state of a repair. */
  public enum State {
    /** In the queue. */
    WAITING,
    RUNNING,
    /** Failed or delayed. It will be tried again. */
    POSTPONED,
    /** Set aside after repeated failure. It waits for an operator. */
    PARKED,
    /** More units are lost than the code can rebuild. It is tried again when a node returns. */
    UNRECOVERABLE,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /** Returns the name of the stripe for requests. */
  public StripeId id() {
    return new StripeId(inode, stripe);
  }

  public QueuedRepair {
    lost = Absent.toEmpty(lost);
    detectedBy = Absent.toEmpty(detectedBy);
    reason = Absent.toEmpty(reason);
    nextAttempt = Absent.toEmpty(nextAttempt);
  }
}
