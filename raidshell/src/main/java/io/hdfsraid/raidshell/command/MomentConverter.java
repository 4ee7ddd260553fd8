// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a moment: a time of RFC 3339 such as {@code 2026-11-25T16:20:11Z}, or how long it is ago,
 * such as {@code 2h}.
 */
public final class MomentConverter implements ITypeConverter<Instant> {
  private final DurationConverter durations = new DurationConverter();

  @Override
  public Instant convert(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      return ago(text);
    }
  }

  private Instant ago(String text) {
    try {
      return Instant.now().minus(durations.convert(text).abs());
    } catch (TypeConversionException | DateTimeException | ArithmeticException e) {
      throw new TypeConversionException(
          "'%s' is neither a time such as 2026-11-25T16:20:11Z nor a duration such as 30m, 12h or 2d"
              .formatted(text));
    }
  }
}
