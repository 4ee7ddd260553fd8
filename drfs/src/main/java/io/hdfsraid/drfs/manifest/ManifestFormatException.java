// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

import java.io.IOException;

/**
 * Thrown for bytes that are not a manifest, or not a manifest that this version can read. The
 * message says which.
 */
public class ManifestFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  public ManifestFormatException(String message) {
    super(message);
  }

  /** Returns an exception of the same kind that also says where the manifest is. */
  public ManifestFormatException at(String path) {
    return withCause(new ManifestFormatException("%s: %s".formatted(path, getMessage())));
  }

  final <T extends ManifestFormatException> T withCause(T located) {
    located.addSuppressed(this);
    return located;
  }
}
