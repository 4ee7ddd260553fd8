// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.kernel;

/**
 * Thrown when this machine cannot use a kernel. The message says why and, if known, what would
 * help.
 */
public final class KernelUnavailableException extends Exception {
  private static final long serialVersionUID = 1;

  KernelUnavailableException(String message) {
    super(message);
  }

  KernelUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
