package io.hdfsraid.raidnode;

/** The daemon cannot start, for a reason that its message tells an administrator in one line. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1;

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
