package io.hdfsraid.raidnode;

/** The daemon cannot start. The message tells an administrator the reason in one line. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1;

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
