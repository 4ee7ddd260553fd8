// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.report;

import io.hdfsraid.raidshell.command.Screen;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Prints a report for people. */
final class BenchScreen {
  private static final List<String> HEADING =
      List.of("ROW", "VALUE", "UNIT", "PEER", "PEER'S", "RATIO", "QUARTILES", "GOAL");

  private final PrintWriter out;
  private final Screen screen;

  BenchScreen(PrintWriter out) {
    this.out = out;
    this.screen = new Screen(out);
  }

  void show(BenchReport report) {
    screen.blank();
    report.machine().lines().forEach(screen::line);
    report.method().forEach(screen::line);
    screen.blank();
    screen.table(HEADING, report.rows().stream().map(BenchScreen::cells).toList());
    screen.blank();
    Set<String> absent = new LinkedHashSet<>();
    report.rows().stream().filter(Row::isAbsent).forEach(row -> absent.add(row.note()));
    absent.forEach(screen::line);
    screen.line(
        String.format(
            Locale.ROOT,
            "%d rows in %.0f s; load average %.2f at the end",
            report.rows().size(),
            report.seconds(),
            report.loadAverageAfter()));
    goals(report);
    out.flush();
  }

  private void goals(BenchReport report) {
    long goals = report.rows().stream().filter(row -> row.met() != null).count();
    List<Row> missed = report.missed();
    if (goals == 0) {
      return;
    }
    screen.line(
        missed.isEmpty()
            ? "Goals met: all of %d".formatted(goals)
            : "Goals missed: %d of %d".formatted(missed.size(), goals));
    missed.forEach(
        row ->
            screen.line(
                "  %s: %s, wanted %s %s"
                    .formatted(
                        row.name(),
                        row.goalOf().equals(Row.VALUE)
                            ? number(row.value()) + " " + row.unit()
                            : number(row.ratio()) + " times " + row.peer(),
                        row.wanted(),
                        number(row.goal()))));
  }

  private static List<String> cells(Row row) {
    return List.of(
        row.name(),
        row.isAbsent() ? "absent" : number(row.value()),
        row.unit(),
        row.peer() == null ? "-" : withoutWordsOf(row.name(), row.peer()),
        orDash(row.peerValue()),
        orDash(row.ratio()),
        row.isAbsent() ? "-" : number(row.low()) + "-" + number(row.high()),
        row.met() == null
            ? "-"
            : "%s%s %s"
                .formatted(
                    row.wanted().equals(Row.AT_MOST) ? "<=" : "",
                    number(row.goal()),
                    row.isMissed() ? "MISSED" : "met"));
  }

  /** What both of them are need not be said twice. */
  private static String withoutWordsOf(String name, String peer) {
    Set<String> said = Set.copyOf(Arrays.asList(name.split(" ", -1)));
    String rest =
        Arrays.stream(peer.split(" ", -1))
            .filter(word -> !said.contains(word))
            .collect(Collectors.joining(" "));
    return rest.isEmpty() ? peer : rest;
  }

  private static String orDash(Double number) {
    return number == null ? "-" : number(number);
  }

  /** Three digits that mean something. */
  private static String number(double number) {
    double size = Math.abs(number);
    return String.format(
        Locale.ROOT, size >= 99.95 ? "%,.0f" : size >= 9.995 ? "%.1f" : "%.2f", number);
  }
}
