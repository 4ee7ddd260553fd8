// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import picocli.CommandLine.Option;

/**
 * The options of commands that change something: {@code --yes}, without which they only show the
 * change, and {@code --reason}.
 */
public final class YesOption {
  @Option(names = "--yes", description = "Carry the change out. Without --yes it is only shown.")
  private boolean yes;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why, for the audit and the history: at most 500 characters.")
  private String reason;

  public boolean dryRun() {
    return !yes;
  }

  /** Returns why the change is made; may be empty. */
  public String reason() {
    return reason;
  }
}
