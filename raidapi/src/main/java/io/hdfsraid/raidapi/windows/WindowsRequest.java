// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.windows;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.ChangeRequest;
import java.time.Duration;

/**
 * Lets policies act, or keeps them from acting, for some time, whatever their windows and blackouts
 * say; or ends such an override.
 *
 * @param duration how long the override lasts; must be absent with {@link Mode#FOLLOW}, and only
 *     then
 * @param dryRun only show the change; absent means true
 */
public record WindowsRequest(
    Mode mode, @JsonProperty("durationSeconds") Duration duration, Boolean dryRun)
    implements ChangeRequest {
  /** The longest override. A lasting change belongs into policies.yml. */
  public static final Duration LONGEST = Duration.ofDays(7);

  /** What decides whether policies may act. */
  public enum Mode {
    /** Policies may act, at full speed. */
    OPEN,
    /** Policies may not act. */
    CLOSED,
    /** Windows and blackouts decide. */
    FOLLOW
  }

  public WindowsRequest {
    dryRun = dryRun == null || dryRun;
    duration = duration == null ? Duration.ZERO : duration;
    if (mode == null) {
      throw new IllegalArgumentException("mode must be OPEN, CLOSED or FOLLOW, but is absent");
    }
    boolean follows = mode == Mode.FOLLOW;
    if (follows != duration.isZero() || duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          follows
              ? "FOLLOW takes no duration, but got %s".formatted(duration)
              : "%s needs a duration above zero and of at most %d days, but got %s"
                  .formatted(mode, LONGEST.toDays(), duration));
    }
  }
}
