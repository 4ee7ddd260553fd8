package io.hdfsraid.offline.demo;

import io.hdfsraid.offline.output.Progress;
import io.hdfsraid.raidshell.Screen;
import java.io.PrintWriter;
import java.util.List;

/** What the demo tells: numbered steps, lines, tables, progress. */
final class Story {
  private final PrintWriter out;
  private final Screen screen;
  private final boolean interactive;
  private int steps;

  /**
   * A story.
   *
   * @param interactive somebody watches a terminal: bars may move
   */
  Story(PrintWriter out, boolean interactive) {
    this.out = out;
    this.screen = new Screen(out);
    this.interactive = interactive;
  }

  void step(String title) {
    steps++;
    out.println();
    out.println("%d. %s".formatted(steps, title));
    out.println("-".repeat(String.valueOf(steps).length() + 2 + title.length()));
    out.flush();
  }

  void say(String text) {
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
