package io.hdfsraid.drfs.namespace;

import java.io.IOException;

/** A quota does not allow as much space as was asked for. Nothing has changed. */
public final class QuotaRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public QuotaRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
