// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.io.IOException;

/**
 * Thrown when another daemon has become the writer, or this process has given the owner file up. It
 * must change nothing any more.
 */
public final class DeposedException extends IOException {
  private static final long serialVersionUID = 1L;

  public DeposedException(String message) {
    super(message);
  }
}
