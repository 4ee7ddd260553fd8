// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.bench.report.BenchOptions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The number of bytes of each unit that one call handles.
 *
 * @param label as given, and as rows are named
 */
public record Cell(String label, int bytes) {
  private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,3})(KiB|MiB)");
  private static final int MOST = 64 << 20;

  /** Chunks begin where a vector of any CPU does, if they are long enough for that. */
  private static final int ALIGNMENT = 64;

  /**
   * A number of KiB or MiB.
   *
   * @throws IllegalArgumentException when it is none, or too many
   */
  public static Cell parse(String label) {
    Matcher matcher = FORM.matcher(label);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "A size is a number of KiB or MiB, such as 64KiB, but got " + label);
    }
    long bytes = Long.parseLong(matcher.group(1)) << (matcher.group(2).equals("KiB") ? 10 : 20);
    if (bytes > MOST) {
      throw new IllegalArgumentException("Cells have at most 64MiB, but got " + label);
    }
    return new Cell(label, (int) bytes);
  }

  /**
   * Parses the value of an option.
   *
   * @throws picocli.CommandLine.ParameterException when it is no size; the message names the option
   */
  public static Cell parse(BenchOptions options, String option, String value) {
    try {
      return parse(value);
    } catch (IllegalArgumentException e) {
      throw options.wrong(option + ": " + e.getMessage());
    }
  }

  /** Of a unit that is cut into so many chunks: a little less where they cannot be equal. */
  int chunk(int subUnits) {
    int chunk = bytes / subUnits;
    return chunk - chunk % ALIGNMENT;
  }

  @Override
  public String toString() {
    return label;
  }
}
