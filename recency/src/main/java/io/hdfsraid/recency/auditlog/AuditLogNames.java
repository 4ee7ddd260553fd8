// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The configured names of audit logs; some files may appear later. */
record AuditLogNames(List<String> names) {
  /**
   * Returns the files that match a pattern, and all names without a pattern whether they exist or
   * not.
   *
   * @param known logs that were found before; rotated files of them are no logs of their own, also
   *     while they are renamed
   */
  List<Path> find(List<Path> known) throws IOException {
    TreeSet<Path> found = new TreeSet<>();
    for (String name : names) {
      Path given = Path.of(name).toAbsolutePath();
      if (isPattern(given)) {
        found.addAll(matching(given));
      } else {
        found.add(given);
      }
    }
    List<Path> live = new ArrayList<>();
    for (Path path : found) {
      // A name sorts before the names that continue it.
      if (!goesOn(path, live) && !goesOn(path, known)) {
        live.add(path);
      }
    }
    return live;
  }

  /** Returns whether a log is configured, existing or not. */
  boolean mean(Path log) {
    return names.stream()
        .map(name -> Path.of(name).toAbsolutePath())
        .anyMatch(given -> given.equals(log) || (isPattern(given) && matcher(given).matches(log)));
  }

  /** Returns whether a path is a rotated file of one of the logs. */
  static boolean goesOn(Path path, List<Path> logs) {
    return logs.stream().anyMatch(log -> goesOnFrom(path, log));
  }

  private static boolean isPattern(Path given) {
    return given.toString().contains("*");
  }

  private static PathMatcher matcher(Path pattern) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
  }

  private static boolean goesOnFrom(Path path, Path other) {
    String text = path.toString();
    return text.startsWith(other + ".") || text.startsWith(other + "-");
  }

  private static List<Path> matching(Path pattern) throws IOException {
    int fixed = 0;
    while (!pattern.getName(fixed).toString().contains("*")) {
      fixed++;
    }
    Path root =
        fixed == 0 ? pattern.getRoot() : pattern.getRoot().resolve(pattern.subpath(0, fixed));
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    PathMatcher matcher = matcher(pattern);
    try (Stream<Path> all = Files.walk(root, pattern.getNameCount() - fixed)) {
      return all.filter(matcher::matches).filter(Files::isRegularFile).toList();
    }
  }
}
