// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.raidshell.command.Screen;
import java.io.PrintWriter;
import java.util.List;

/** The output of the demo: numbered steps, lines, tables, progress bars. */
final class Console {
  private final PrintWriter out;
  private final Screen screen;
  private final boolean interactive;
  private int steps;

  /**
   * Creates a console.
   *
   * @param interactive whether a terminal shows the output, so that progress bars may move
   */
  Console(PrintWriter out, boolean interactive) {
    this.out = out;
    this.screen = new Screen(out);
    this.interactive = interactive;
  }

  void step(String title) {
    String heading = "%d. %s".formatted(++steps, title);
    out.println();
    out.println(heading);
    line("-".repeat(heading.length()));
  }

  void line(String text) {
    screen.line(text);
    out.flush();
  }

  void table(List<String> heading, List<List<String>> rows) {
    screen.table(heading, rows);
    out.flush();
  }

  Progress bytes(String task, long bytes) {
    return new Progress(out, interactive, task, bytes, Progress.Unit.BYTES);
  }

  Progress items(String task, long items) {
    return new Progress(out, interactive, task, items, Progress.Unit.ITEMS);
  }
}
