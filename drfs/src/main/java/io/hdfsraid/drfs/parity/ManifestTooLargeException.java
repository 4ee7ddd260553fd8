// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import java.io.IOException;

/** Thrown when a manifest does not fit into the extended attributes that may be used for it. */
public final class ManifestTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  public ManifestTooLargeException(long bytes, long limit) {
    super("The manifest needs %d bytes, but only %d can be stored".formatted(bytes, limit));
  }
}
