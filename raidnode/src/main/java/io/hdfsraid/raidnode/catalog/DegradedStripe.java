// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.erasurecode.UnitSet;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A stripe that has lost units, with the cost of its repair so far.
 *
 * @param inode of the protected file, or id of the group
 * @param path last known path of the file
 * @param furtherLosses number of further losses that the stripe is certain to tolerate; -1 if it
 *     does not even tolerate the present losses
 * @param detectedBy the source that detected the loss first
 * @param since when the loss was noticed: the beginning of the exposure
 * @param attempts number of failed attempts
 * @param bytesRead over all attempts
 * @param atRiskSince when it was noticed that the stripe tolerates no further loss; when the loss
 *     was noticed if it still tolerates some
 */
public record DegradedStripe(
    StripeKey key,
    long inode,
    String path,
    String codec,
    UnitSet lost,
    int furtherLosses,
    String detectedBy,
    Instant since,
    int attempts,
    long bytesRead,
    Instant atRiskSince) {
  public DegradedStripe {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(lost, "lost");
    Objects.requireNonNull(detectedBy, "detectedBy");
    since = since.truncatedTo(ChronoUnit.MILLIS);
    atRiskSince = atRiskSince.truncatedTo(ChronoUnit.MILLIS);
  }

  /** A stripe that tolerates no more losses now than when its loss was noticed. */
  public DegradedStripe(
      StripeKey key,
      long inode,
      String path,
      String codec,
      UnitSet lost,
      int furtherLosses,
      String detectedBy,
      Instant since,
      int attempts,
      long bytesRead) {
    this(
        key,
        inode,
        path,
        codec,
        lost,
        furtherLosses,
        detectedBy,
        since,
        attempts,
        bytesRead,
        since);
  }

  /** Returns since when the stripe is in its present danger: at risk, or else with a loss. */
  public Instant inDangerSince() {
    return furtherLosses > 0 ? since : atRiskSince;
  }

  /** Returns this stripe with the result of a newer evaluation. */
  DegradedStripe judged(UnitSet lostNow, int furtherLossesNow, Instant now) {
    Instant atRiskFrom = furtherLosses > 0 ? now : atRiskSince;
    return new DegradedStripe(
        key,
        inode,
        path,
        codec,
        lostNow,
        furtherLossesNow,
        detectedBy,
        since,
        attempts,
        bytesRead,
        furtherLossesNow > 0 ? since : atRiskFrom);
  }

  /** Returns this stripe with one more failed attempt. */
  DegradedStripe attempted(long bytes) {
    return new DegradedStripe(
        key,
        inode,
        path,
        codec,
        lost,
        furtherLosses,
        detectedBy,
        since,
        attempts + 1,
        bytesRead + bytes,
        atRiskSince);
  }
}
