// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import java.io.IOException;

/** Thrown when no KDC answers, so that the same login may succeed later. */
public final class KdcAwayException extends IOException {
  private static final long serialVersionUID = 1L;

  KdcAwayException(String message, Throwable cause) {
    super(message, cause);
  }
}
