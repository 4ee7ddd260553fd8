// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows below a heading. What does not fit the screen is first made narrower: sentences break
 * between words, and long words are cut in the middle. If that is not enough, the last columns
 * stand below their row.
 */
final class Table {
  private static final int GAP = 2;

  /** No column is made narrower, so that times and numbers stay whole. */
  private static final int NARROW = 20;

  private static final String BELOW = "    ";

  private final List<String> heading;
  private final List<List<String>> rows;
  private final int columns;
  private final int[] widths;

  /** Lays the rows out for a screen with this number of columns. */
  Table(List<String> heading, List<List<String>> rows, int columns) {
    this.heading = heading;
    this.rows = rows;
    this.columns = columns;
    int[] natural = new int[heading.size()];
    for (int i = 0; i < natural.length; i++) {
      natural[i] = Math.max(1, FittedText.width(heading.get(i)));
      for (List<String> row : rows) {
        natural[i] = Math.max(natural[i], FittedText.width(row.get(i)));
      }
    }
    this.widths = fitted(natural);
  }

  /** Returns the widths of the columns that stand beside each other. */
  private int[] fitted(int[] natural) {
    int beside = natural.length;
    while (beside > 1 && total(Arrays.stream(natural, 0, beside).map(Table::least)) > columns) {
      beside--;
    }
    int[] fitted = Arrays.copyOf(natural, beside);
    while (total(Arrays.stream(fitted)) > columns) {
      int widest = 0;
      for (int i = 1; i < beside; i++) {
        widest = fitted[i] > fitted[widest] ? i : widest;
      }
      if (fitted[widest] <= NARROW) {
        break;
      }
      fitted[widest]--;
    }
    return fitted;
  }

  private static int least(int natural) {
    return Math.min(natural, NARROW);
  }

  private static long total(IntStream widths) {
    return widths.mapToLong(width -> width + GAP).sum() - GAP;
  }

  void print(PrintWriter out) {
    print(heading, out);
    for (List<String> row : rows) {
      print(row, out);
      printBelow(row, out);
    }
  }

  private void print(List<String> cells, PrintWriter out) {
    List<List<String>> beside = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      beside.add(FittedText.cell(cells.get(i), widths[i]));
    }
    int height = beside.stream().mapToInt(List::size).max().orElse(0);
    for (int line = 0; line < height; line++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String part = line < beside.get(i).size() ? beside.get(i).get(line) : "";
        text.append(part).append(" ".repeat(widths[i] - FittedText.width(part) + GAP));
      }
      out.println(text.toString().stripTrailing());
    }
  }

  private void printBelow(List<String> row, PrintWriter out) {
    int room = columns - BELOW.length();
    List<String> lines = new ArrayList<>(List.of(""));
    for (int i = widths.length; i < row.size(); i++) {
      if (!row.get(i).isEmpty() && !row.get(i).equals("-")) {
        String name = heading.get(i) + " ";
        List<String> value = FittedText.cell(row.get(i), Math.max(1, room - name.length()));
        String said = name + String.join(" ", value);
        String last = lines.get(lines.size() - 1);
        String longer = last.isEmpty() ? said : last + "; " + said;
        if (FittedText.width(longer) <= room) {
          lines.set(lines.size() - 1, longer);
        } else {
          lines.addAll(FittedText.lines(said, room));
        }
      }
    }
    lines.stream().filter(line -> !line.isEmpty()).forEach(line -> out.println(BELOW + line));
  }
}
