package io.hdfsraid.drfs.manifest;

import java.io.IOException;

/**
 * Thrown for bytes that are not a manifest, or not a manifest that this version can read. The
 * message says which.
 */
public final class ManifestFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  public ManifestFormatException(String message) {
    super(message);
  }
}
