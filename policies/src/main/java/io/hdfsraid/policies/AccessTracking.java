package io.hdfsraid.policies;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Since when accesses have been recorded without a gap, by the best source there is. "No access
 * recorded" means "not accessed" only back to this moment.
 *
 * @param since empty when nothing records accesses
 */
public record AccessTracking(Optional<Instant> since) {
  public static final AccessTracking NONE = new AccessTracking(Optional.empty());

  public static AccessTracking since(Instant start) {
    return new AccessTracking(Optional.of(start));
  }

  /** Whether an access within this time before {@code now} would have been recorded. */
  boolean covers(Duration window, Instant now) {
    return window.isZero() || since.map(start -> !start.plus(window).isAfter(now)).orElse(false);
  }
}
