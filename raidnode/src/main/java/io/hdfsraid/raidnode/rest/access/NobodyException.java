// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

/** Thrown when nobody is known to send a request. The message is for the sender. */
final class NobodyException extends Exception {
  private static final long serialVersionUID = 1;

  NobodyException(String message) {
    super(message);
  }
}
