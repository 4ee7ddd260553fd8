// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.io.IOException;

/** Thrown when a quota does not allow the requested space. Nothing has changed. */
public final class QuotaRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public QuotaRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
