// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/** Fits text into columns of a terminal. */
final class FittedText {
  private static final String CUT = "…";

  private FittedText() {}

  /** Returns how many columns a text takes. Chinese, Japanese and Korean characters take two. */
  static int width(String text) {
    return Ansi.OFF.text(text).getCJKAdjustedLength();
  }

  /**
   * Returns the lines of a text, which breaks between words only. A name must stay in one piece to
   * be copied, so a line with a long word can be too long.
   */
  static List<String> lines(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.toString().isBlank() && width(line + " " + word) > columns) {
        lines.add(line.toString());
        line.setLength(0);
      } else if (!line.isEmpty()) {
        line.append(' ');
      }
      line.append(word.isEmpty() && line.isEmpty() ? " " : word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Returns the lines of a text, of whose long words the middle is cut out. */
  static List<String> cell(String text, int columns) {
    if (width(text) <= columns) {
      return List.of(text);
    }
    String cut =
        Stream.of(text.split(" ", -1))
            .map(word -> cut(word, columns))
            .collect(Collectors.joining(" "));
    return lines(cut, columns);
  }

  /** Cuts the middle out: of a path, the end says most. */
  static String cut(String word, int columns) {
    if (width(word) <= columns) {
      return word;
    }
    int head = 0;
    while (width(word.substring(0, next(word, head))) <= (columns - 1) / 3) {
      head = next(word, head);
    }
    int left = columns - 1 - width(word.substring(0, head));
    int tail = word.length();
    while (width(word.substring(word.offsetByCodePoints(tail, -1))) <= left) {
      tail = word.offsetByCodePoints(tail, -1);
    }
    return word.substring(0, head) + CUT + word.substring(tail);
  }

  private static int next(String word, int index) {
    return word.offsetByCodePoints(index, 1);
  }
}
