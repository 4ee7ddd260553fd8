package io.hdfsraid.raidshell;

/** What a script learns from a command. The numbers are documented in every help text. */
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
