package io.hdfsraid.raidshell.command;

import picocli.CommandLine.Option;

/**
 * The option {@code --yes} of commands that change something. Without it they only show the change.
 */
public final class YesOption {
  @Option(names = "--yes", description = "Carry the change out. Without --yes it is only shown.")
  private boolean yes;

  public boolean dryRun() {
    return !yes;
  }
}
