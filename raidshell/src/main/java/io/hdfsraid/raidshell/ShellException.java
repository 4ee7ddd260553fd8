package io.hdfsraid.raidshell;

/** A command cannot go on. Shown as one line, never as a stack trace unless asked for. */
public final class ShellException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;
  private final String hint;

  /**
   * A failure that the operator can do something about.
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
