package io.hdfsraid.raidapi;

import java.time.Duration;
import java.util.Locale;

/**
 * Let policies act, or not, for some time, whatever windows and blackouts say; or have these count
 * again.
 *
 * @param time how long; absent, and only then, with {@link Wish#FOLLOW}
 * @param dryRun only say what would happen; absent means true
 */
public record HoursRequest(Wish wish, Duration time, Boolean dryRun) {
  /** Who wants another plan for longer writes it into policies.yml. */
  public static final Duration LONGEST = Duration.ofDays(7);

  /** What is wanted. */
  public enum Wish {
    /** At full speed. */
    OPEN,
    CLOSED,
    /** As windows and blackouts say. */
    FOLLOW
  }

  public HoursRequest {
    dryRun = dryRun == null || dryRun;
    time = time == null ? Duration.ZERO : time;
    if (wish == null) {
      throw new IllegalArgumentException("wish must be OPEN, CLOSED or FOLLOW, but is absent");
    }
    boolean always = wish == Wish.FOLLOW;
    if (always != time.isZero() || time.isNegative() || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          always
              ? "Windows are followed without a time, but got %s".formatted(time)
              : "Policies can be %s for more than nothing and up to %d days, but got %s"
                  .formatted(wish.name().toLowerCase(Locale.ROOT), LONGEST.toDays(), time));
    }
  }
}
