// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Prints answers for people: lines, tables, sizes and times. */
public final class Screen {
  private static final String CONTINUED = "  ";
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private final PrintWriter out;
  private final int columns;

  /** Creates a screen without an edge, which shows everything in full, as a file or a pipe does. */
  public Screen(PrintWriter out) {
    this(out, Integer.MAX_VALUE);
  }

  private Screen(PrintWriter out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  /** Returns the screen of a command: the terminal, unless {@code --wide} is given. */
  public static Screen of(CommandSpec command) {
    return of(command, command.commandLine().getOut());
  }

  /** Returns a screen as wide as that of a command, which writes elsewhere. */
  public static Screen of(CommandSpec command, PrintWriter out) {
    boolean wide = command.root().userObject() instanceof ShellOptions shell && shell.wide();
    return wide
        ? new Screen(out)
        : TerminalSize.known()
            .map(terminal -> new Screen(out, terminal.columns()))
            .orElseGet(() -> new Screen(out));
  }

  /** Prints a line. On a terminal it goes on in further lines if it is too long. */
  public void line(String text) {
    String clean = printable(text);
    if (FittedText.width(clean) <= columns) {
      out.println(clean);
      return;
    }
    List<String> lines = FittedText.lines(clean, columns - CONTINUED.length());
    out.println(lines.get(0));
    lines.stream().skip(1).forEach(line -> out.println(CONTINUED + line));
  }

  public void blank() {
    out.println();
  }

  /**
   * Prints a heading row and the rows below it.
   *
   * @param rows rows as long as the heading
   */
  public void table(List<String> heading, List<List<String>> rows) {
    List<List<String>> clean =
        rows.stream().map(row -> row.stream().map(Screen::printable).toList()).toList();
    new Table(heading, clean, columns).print(out);
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
