// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

/** The exit codes of the commands. Every help text explains the numbers. */
public enum ExitCode {
  OK(0),
  USAGE(1),
  IO(2),
  FINDINGS(3),
  UNRECOVERABLE(4),
  PARTIAL(5),
  REFUSED(6);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
