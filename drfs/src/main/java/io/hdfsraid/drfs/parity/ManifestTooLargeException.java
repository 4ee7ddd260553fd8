package io.hdfsraid.drfs.parity;

import java.io.IOException;

/** Thrown when a manifest does not fit into the extended attributes of one file. */
public final class ManifestTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  public ManifestTooLargeException(long bytes, long limit) {
    super(
        "The manifest needs %d bytes, but the extended attributes of a file hold %d"
            .formatted(bytes, limit));
  }
}
