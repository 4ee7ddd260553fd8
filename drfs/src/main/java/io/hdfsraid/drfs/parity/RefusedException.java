package io.hdfsraid.drfs.parity;

import java.io.IOException;

/**
 * The cluster is not in a state in which this may be done safely; the message says why and what to
 * do.
 */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }
}
