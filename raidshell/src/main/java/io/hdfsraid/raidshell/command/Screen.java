package io.hdfsraid.raidshell.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** Prints answers for people: lines, tables, sizes and times. */
public final class Screen {
  private static final int GAP = 2;
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private final PrintWriter out;

  public Screen(PrintWriter out) {
    this.out = out;
  }

  public void line(String text) {
    out.println(printable(text));
  }

  public void blank() {
    out.println();
  }

  /**
   * Prints a heading row and the rows below it. Each column is as wide as its widest cell.
   *
   * @param rows rows as long as the heading
   */
  public void table(List<String> heading, List<List<String>> rows) {
    Column[] columns = new Column[heading.size()];
    for (int i = 0; i < columns.length; i++) {
      int width = heading.get(i).length();
      for (List<String> row : rows) {
        width = Math.max(width, printable(row.get(i)).length());
      }
      int indent = i == 0 ? 0 : GAP;
      columns[i] = new Column(Math.max(1, width) + indent, indent, Overflow.SPAN);
    }
    TextTable table = TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns);
    table.addRowValues(heading.toArray(String[]::new));
    for (List<String> row : rows) {
      table.addRowValues(row.stream().map(Screen::printable).toArray(String[]::new));
    }
    table.toString().lines().map(String::stripTrailing).forEach(out::println);
  }

  /**
   * Replaces characters that would control a terminal or break a table. HDFS allows any character
   * in a name.
   */
  public static String printable(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                clean.append("\\u%04x".formatted(c));
              } else {
                clean.appendCodePoint(c);
              }
            });
    return clean.toString().replace("@|", "@\\|");
  }

  /**
   * Returns a size in the largest binary unit that leaves a number of at least 1, with three
   * digits.
   */
  public static String bytes(long bytes) {
    double amount = Math.abs((double) bytes);
    int unit = 0;
    while (amount >= 1023.95 && unit < UNITS.length - 1) {
      amount /= 1024;
      unit++;
    }
    String number = String.format(Locale.ROOT, unit == 0 ? "%.0f" : "%.1f", amount);
    return (bytes < 0 ? "-" : "") + number + " " + UNITS[unit];
  }

  /** Returns the two largest units of a duration. */
  public static String duration(Duration duration) {
    if (duration.isNegative()) {
      return "-" + duration(duration.negated());
    }
    if (duration.toDays() > 0) {
      return duration.toDays()
          + "d"
          + (duration.toHoursPart() > 0 ? duration.toHoursPart() + "h" : "");
    }
    if (duration.toHours() > 0) {
      return duration.toHours()
          + "h"
          + (duration.toMinutesPart() > 0 ? duration.toMinutesPart() + "m" : "");
    }
    return duration.toMinutes() > 0
        ? duration.toMinutes()
            + "m"
            + (duration.toSecondsPart() > 0 ? duration.toSecondsPart() + "s" : "")
        : duration.toSeconds() + "s";
  }

  /** Returns a time in UTC, to the second. */
  public static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  public static String time(Optional<Instant> instant) {
    return instant.map(Screen::time).orElse("-");
  }

  public static String orDash(Optional<?> value) {
    return value.map(Object::toString).orElse("-");
  }
}
