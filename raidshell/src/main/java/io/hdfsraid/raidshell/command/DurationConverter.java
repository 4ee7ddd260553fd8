// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration such as {@code 30m}, {@code 12h} or {@code 2d}. */
public final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    try {
      return Duration.parse(upper.endsWith("D") ? "P" + upper : "PT" + upper);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException("'" + text + "' is not a duration such as 30m, 12h or 2d");
    }
  }
}
