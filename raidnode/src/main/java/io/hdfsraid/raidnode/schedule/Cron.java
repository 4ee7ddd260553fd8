// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.Optional;
import java.util.TimeZone;
import org.quartz.CronExpression;

/** Cron expressions of Quartz: second minute hour day month weekday [year]. */
public final class Cron {
  private Cron() {}

  /** Returns the problem of an expression; empty if it is valid and names a time in the future. */
  public static Optional<String> problemWith(String expression, Clock clock) {
    try {
      CronExpression cron = new CronExpression(expression);
      return cron.getNextValidTimeAfter(Date.from(clock.instant())) == null
          ? Optional.of("'%s' never comes again".formatted(expression))
          : Optional.empty();
    } catch (ParseException | RuntimeException e) {
      return Optional.of(
          "'%s' is not a cron expression of second minute hour day month weekday: %s"
              .formatted(expression, e.getMessage()));
    }
  }

  /** Returns the time between the next two times. */
  static Optional<Duration> interval(String expression, ZoneId zone, Clock clock) {
    return next(expression, zone, clock)
        .flatMap(
            first ->
                next(expression, zone, Clock.fixed(first, zone))
                    .map(second -> Duration.between(first, second)));
  }

  /** Returns the next time after now. */
  static Optional<Instant> next(String expression, ZoneId zone, Clock clock) {
    try {
      CronExpression cron = new CronExpression(expression);
      cron.setTimeZone(TimeZone.getTimeZone(zone));
      return Optional.ofNullable(cron.getNextValidTimeAfter(Date.from(clock.instant())))
          .map(Date::toInstant);
    } catch (ParseException e) {
      return Optional.empty();
    }
  }
}
