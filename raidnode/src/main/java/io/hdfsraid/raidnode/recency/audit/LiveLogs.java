package io.hdfsraid.raidnode.recency.audit;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The logs that settings name, of which some may come later. */
record LiveLogs(List<String> names) {
  /** Those that are there, and those that are named in full whether they are there or not. */
  List<Path> find() throws IOException {
    TreeSet<Path> found = new TreeSet<>();
    for (String name : names) {
      Path given = Path.of(name).toAbsolutePath();
      if (name.contains("*")) {
        found.addAll(matching(given));
      } else {
        found.add(given);
      }
    }
    List<Path> live = new ArrayList<>();
    for (Path path : found) {
      // The name that others go on from comes first in their order.
      if (live.stream().noneMatch(other -> goesOnFrom(path, other))) {
        live.add(path);
      }
    }
    return live;
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
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    try (Stream<Path> all = Files.walk(root, pattern.getNameCount() - fixed)) {
      return all.filter(matcher::matches).filter(Files::isRegularFile).toList();
    }
  }
}
