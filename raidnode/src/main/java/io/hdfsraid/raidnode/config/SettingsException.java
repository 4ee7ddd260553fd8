package io.hdfsraid.raidnode.config;

import io.hdfsraid.policies.settings.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration is invalid. The message lists all mistakes, one per line. */
public final class SettingsException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  SettingsException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
