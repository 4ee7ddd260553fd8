// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.io.IOException;

/** A replica has checksums of a type that cannot be compared without reading it. */
public final class OtherChecksumException extends IOException {
  private static final long serialVersionUID = 1L;

  public OtherChecksumException(String message) {
    super(message);
  }
}
