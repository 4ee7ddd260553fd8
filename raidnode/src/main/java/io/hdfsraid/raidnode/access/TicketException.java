// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

/**
 * Thrown when a Kerberos ticket is not accepted. The message is for the log of the daemon: an
 * attacker must not learn it.
 */
public final class TicketException extends Exception {
  private static final long serialVersionUID = 1;

  public TicketException(String message, Throwable cause) {
    super(message, cause);
  }
}
