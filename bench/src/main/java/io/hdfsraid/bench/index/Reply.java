// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * The answer of a trial to the process that started it: a line with a name and numbers. All its
 * other output is for people.
 */
record Reply(String name, List<Double> numbers) {
  private static final String MARK = "@@";

  void say() {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(
        MARK
            + " "
            + name
            + " "
            + numbers.stream()
                .map(number -> Double.toString(number))
                .collect(Collectors.joining(" ")));
  }

  static void say(String name, double... numbers) {
    new Reply(name, DoubleStream.of(numbers).boxed().toList()).say();
  }

  /**
   * Returns whether the line reports progress: its name is in capitals, and its value says how much
   * is done.
   */
  boolean isProgress() {
    return name.equals(name.toUpperCase(Locale.ROOT));
  }

  static Optional<Reply> parse(String line) {
    String[] words = line.split(" ", -1);
    if (!words[0].equals(MARK) || words.length < 3) {
      return Optional.empty();
    }
    return Optional.of(
        new Reply(words[1], Arrays.stream(words).skip(2).map(Double::valueOf).toList()));
  }
}
