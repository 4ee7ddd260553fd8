package io.hdfsraid.raidnode.catalog.namespace;

import java.time.Duration;

/**
 * How often a file is used: each access counts one, and half as much after each half-life. Of all
 * accesses to a file, one number is kept, which is what they amount to at the last of them.
 *
 * @param halfLife after which an access counts half
 * @param precision the grain of the access times that HDFS records: of times that differ by less,
 *     only the first is an access
 */
public record Smoothing(Duration halfLife, Duration precision) {
  public static final Smoothing USUAL = new Smoothing(Duration.ofDays(30), Duration.ofHours(1));

  public Smoothing {
    if (halfLife.toMillis() < 1 || precision.isNegative()) {
      throw new IllegalArgumentException(
          "Accesses need a half-life of 1 ms or more and a precision of 0 or more, but got %s and %s"
              .formatted(halfLife, precision));
    }
  }

  /** What one access counts after this time. */
  double after(long millis) {
    return Math.pow(2, -(double) millis / halfLife.toMillis());
  }

  /**
   * How many accesses there were in the last {@code window}, as far as one number can tell. Were
   * accesses as frequent as they are now for ever, F of them would be counted where there are
   * {@code F * ln 2} in a half-life; so {@code F * ln 2 * window / halfLife} are in the window.
   * That is wrong by as much as the frequency has changed within a half-life, but never beyond what
   * is certain: none, when the last is older than the window; at least one otherwise; and at most F
   * times what one at the beginning of the window counts less by now, {@code 2^(window/halfLife)}.
   *
   * @param counted what accesses amounted to at the last of them
   * @param last when that was, in milliseconds
   */
  double within(Duration window, double counted, long last, long now) {
    long since = Math.max(0, now - last);
    if (counted <= 0 || since > window.toMillis()) {
      return 0;
    }
    double count = counted * after(since);
    double steady = count * Math.log(2) * window.toMillis() / halfLife.toMillis();
    double most = count / after(window.toMillis());
    return Math.max(1, Math.min(steady, most));
  }
}
