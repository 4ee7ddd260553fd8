package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The repair of one stripe.
 *
 * @param inode of the file the stripe belongs to, or the id of its group
 * @param lost positions of lost units, data first
 * @param canBear further losses the stripe can bear; its priority
 * @param detectedBy the source that told of the loss first
 * @param attempts how often it was tried
 * @param reason why it is in this state; may be empty
 * @param nextAttempt empty when it is running or will not be tried by itself
 * @param bytesRead so far, over all attempts
 */
public record RepairView(
    long inode,
    String path,
    int stripe,
    String codec,
    List<Integer> lost,
    int canBear,
    State state,
    String detectedBy,
    Instant since,
    int attempts,
    String reason,
    Optional<Instant> nextAttempt,
    long bytesRead) {
  /** How far it is. */
  public enum State {
    /** In the queue. */
    WAITING,
    RUNNING,
    /** Failed or delayed; will be tried again. */
    POSTPONED,
    /** Set aside after repeated failure; waits for an operator. */
    PARKED,
    /** More is lost than the code can rebuild; tried again when a node returns. */
    UNRECOVERABLE,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /** Names the stripe in requests. */
  public StripeId id() {
    return new StripeId(inode, stripe);
  }

  public RepairView {
    lost = Absent.toEmpty(lost);
    detectedBy = Absent.toEmpty(detectedBy);
    reason = Absent.toEmpty(reason);
    nextAttempt = Absent.toEmpty(nextAttempt);
  }
}
