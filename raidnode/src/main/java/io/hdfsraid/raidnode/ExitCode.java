// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

/** The exit codes of the daemon, as {@code sysexits.h} has them where it has one. */
public enum ExitCode {
  OK(0),
  /** Asked for the daemon, and none runs; the number is that of LSB init scripts. */
  NOT_RUNNING(3),
  /**
   * Another daemon has taken over, or the namespace was set back. A supervisor starts this one
   * again, to wait for its turn or to take over.
   */
  DEPOSED(4),
  /** The command line is wrong. */
  USAGE(64),
  /** A bug of the daemon. */
  SOFTWARE(70),
  /** Something outside keeps the daemon from starting, and may not do so later. */
  TROUBLE(75),
  /** The configuration is wrong: to start again is of no use until somebody has changed it. */
  CONFIGURATION(78);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
