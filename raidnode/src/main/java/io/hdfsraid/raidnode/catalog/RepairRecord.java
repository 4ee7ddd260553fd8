package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.erasurecode.UnitSet;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * A stripe that has lost units.
 *
 * @param inode of the protected file, or the group
 * @param path it was last seen at
 * @param furtherLosses how many more losses the stripe is certain to bear; -1 when it cannot even
 *     bear these
 * @param detectedBy the source that told of the loss first
 * @param reason why it does not run or, while it waits or runs, why it did not last; may be empty
 * @param since when the loss was noticed: the exposure of the stripe
 * @param wakeAt when it is tried again
 * @param bytesRead over all attempts
 */
public record RepairRecord(
    StripeKey stripe,
    long inode,
    String path,
    String codec,
    UnitSet lost,
    int furtherLosses,
    RepairStatus status,
    String detectedBy,
    Instant since,
    int attempts,
    String reason,
    Optional<Instant> wakeAt,
    long bytesRead) {
  public RepairRecord {
    Objects.requireNonNull(stripe, "stripe");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(lost, "lost");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(detectedBy, "detectedBy");
    Objects.requireNonNull(reason, "reason");
    since = since.truncatedTo(ChronoUnit.MILLIS);
    wakeAt = wakeAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
  }

  /**
   * Its status for people: what has lost too much is unrecoverable also while it waits to be tried
   * again, and while it is.
   */
  public RepairStatus standing() {
    return furtherLosses < 0 ? RepairStatus.UNRECOVERABLE : status;
  }

  /** The same repair by a newer judgement of the stripe. */
  public RepairRecord judged(UnitSet lostNow, int furtherLossesNow) {
    return new RepairRecord(
        stripe,
        inode,
        path,
        codec,
        lostNow,
        furtherLossesNow,
        status,
        detectedBy,
        since,
        attempts,
        reason,
        wakeAt,
        bytesRead);
  }

  public RepairRecord to(RepairStatus changed, String why, Optional<Instant> wake) {
    return new RepairRecord(
        stripe,
        inode,
        path,
        codec,
        lost,
        furtherLosses,
        changed,
        detectedBy,
        since,
        attempts,
        why,
        wake,
        bytesRead);
  }

  /** One more attempt that came to nothing. */
  public RepairRecord attempted(long bytes) {
    return new RepairRecord(
        stripe,
        inode,
        path,
        codec,
        lost,
        furtherLosses,
        status,
        detectedBy,
        since,
        attempts + 1,
        reason,
        wakeAt,
        bytesRead + bytes);
  }
}
