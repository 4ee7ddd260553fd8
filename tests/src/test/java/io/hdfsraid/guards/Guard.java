// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A piece of code without which data could be lost: a line of a table in {@code guards.md}.
 *
 * @param name what holds as long as the code is there
 * @param type the simple name of its class
 * @param method the method it is in
 * @param parts what is taken out of the method, one at a time, by the names that {@link Mutants}
 *     gives
 * @param tests the tests that notice it, each as the simple name of its class, {@code #}, and its
 *     method
 */
record Guard(String name, String type, String method, List<String> parts, List<String> tests) {
  private static final Pattern LINE =
      Pattern.compile("\\| (.+) \\| `(\\w+)#(\\w+)` \\| `(.+)` \\| `(.+)` \\|");

  /** All of them, in the order in which a file meets them. */
  static List<Guard> all() {
    try (InputStream in = Guard.class.getResourceAsStream("/guards.md")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("| ") && line.contains("#"))
          .map(Guard::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Guard of(String row) {
    Matcher line = LINE.matcher(row);
    if (!line.matches()) {
      throw new IllegalStateException(
          "A row has what holds, Class#method, what is taken out, and Test#method that notices: "
              + row);
    }
    return new Guard(
        line.group(1), line.group(2), line.group(3), list(line.group(4)), list(line.group(5)));
  }

  private static List<String> list(String cell) {
    return List.of(cell.split("`, `", -1));
  }

  /** The simple names of the classes of its tests. */
  List<String> testClasses() {
    return tests.stream().map(test -> test.split("#", 2)[0]).toList();
  }

  boolean isAbout(Mutants.Mutant mutant) {
    return isIn(mutant) && mutant.names().stream().anyMatch(parts::contains);
  }

  boolean isIn(Mutants.Mutant mutant) {
    return mutant.type().equals(type) && mutant.method().equals(method);
  }

  @Override
  public String toString() {
    return "%s (%s#%s without %s)".formatted(name, type, method, parts);
  }
}
