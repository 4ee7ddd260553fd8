// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

/**
 * Ends a command with a message of one line. The stack trace is shown with {@code --verbose} only.
 */
public final class ShellException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;
  private final String hint;

  /**
   * Creates a failure with a hint for the operator.
   *
   * @param hint what to do; may be empty
   */
  public ShellException(ExitCode exitCode, String message, String hint) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  public String hint() {
    return hint;
  }
}
