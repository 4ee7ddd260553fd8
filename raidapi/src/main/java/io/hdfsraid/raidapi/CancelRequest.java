package io.hdfsraid.raidapi;

import java.time.Duration;
import java.util.List;

/**
 * Stop what an operator wanted repaired: the requests for exactly this path, or all requests; or
 * leave these stripes, also when the RaidNode repairs them by itself. One of the three.
 *
 * @param path empty for the other two
 * @param stripes empty for the other two
 * @param all every request; absent means false
 * @param pause how long the stripes are left; absent means an hour
 * @param dryRun only say what would happen; absent means true
 */
public record CancelRequest(
    String path, List<StripeId> stripes, Boolean all, Duration pause, Boolean dryRun) {
  public static final Duration DEFAULT_PAUSE = Duration.ofHours(1);

  /** A stripe that lost units is not to be forgotten. */
  public static final Duration LONGEST_PAUSE = Duration.ofDays(7);

  public CancelRequest {
    stripes = Absent.toEmpty(stripes);
    all = all != null && all;
    path = path == null || path.isEmpty() ? "" : Requests.absolute(path);
    pause = pause == null ? DEFAULT_PAUSE : pause;
    dryRun = dryRun == null || dryRun;
    Requests.one("path, stripes and all", !path.isEmpty(), !stripes.isEmpty(), all);
    if (pause.isNegative() || pause.compareTo(LONGEST_PAUSE) > 0) {
      throw new IllegalArgumentException(
          "Stripes can be left for up to %d days, but got %s"
              .formatted(LONGEST_PAUSE.toDays(), pause));
    }
  }

  /** What is asked for, in a word. */
  public String subject() {
    return Requests.subject(path, stripes);
  }
}
