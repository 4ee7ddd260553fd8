// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import java.io.IOException;

/**
 * Thrown when the cluster is not in a state in which a request can be carried out safely. The
 * message gives the reason and the remedy.
 */
public class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }
}
