// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import io.hdfsraid.policies.settings.SettingsProblem;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration is invalid. The message lists all mistakes, one per line. */
public final class SettingsException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<SettingsProblem> problems;

  SettingsException(List<SettingsProblem> problems) {
    super(problems.stream().map(SettingsProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<SettingsProblem> problems() {
    return problems;
  }
}
