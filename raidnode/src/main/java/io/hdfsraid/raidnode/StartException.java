// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

/** The daemon cannot start. The message tells an administrator the reason in one line. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;

  StartException(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Tells whoever started the daemon whether it makes sense to try again. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
