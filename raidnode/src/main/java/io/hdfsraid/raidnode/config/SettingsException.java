package io.hdfsraid.raidnode.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The configuration cannot be used. The message has all that is wrong with it, one line each. */
public final class SettingsException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  /**
   * Something that is wrong.
   *
   * @param line where the key is, or what it is missing in; empty for the file as a whole
   * @param key where in the file; empty for the file as a whole
   */
  public record Problem(Path file, Optional<Integer> line, String key, String message) {
    @Override
    public String toString() {
      return key.isEmpty()
          ? "%s: %s".formatted(file, sentence())
          : "%s: %s: %s".formatted(file, key, sentence());
    }

    /** The message, with the line. */
    public String sentence() {
      return message + line.map(" (line %d)"::formatted).orElse("");
    }
  }

  SettingsException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
