// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

/**
 * Thrown for a manifest of a format that this version does not know yet. The parity is good, so
 * nothing may be done that gives it up: the remedy is to upgrade.
 */
public final class NewerManifestException extends ManifestFormatException {
  private static final long serialVersionUID = 1L;

  NewerManifestException(int format, int known) {
    this(
        "The manifest has format %d, but this version knows none above %d: it was written by a newer version; upgrade"
            .formatted(format, known));
  }

  private NewerManifestException(String message) {
    super(message);
  }

  @Override
  public NewerManifestException at(String path) {
    return withCause(new NewerManifestException("%s: %s".formatted(path, getMessage())));
  }
}
