package io.hdfsraid.drfs.manifest;

import java.io.IOException;

/** Bytes that are not a manifest, or not one this version can read; the message says which. */
public final class ManifestFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  public ManifestFormatException(String message) {
    super(message);
  }
}
