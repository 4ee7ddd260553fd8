// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.util.Optional;

/** Reads the tickets of Kerberos users for this daemon. Safe for concurrent use. */
@FunctionalInterface
public interface TicketReader {
  /**
   * Returns whose ticket it is.
   *
   * @param token what a client has sent, of any content
   */
  Ticket read(byte[] token) throws TicketException;

  /**
   * A ticket that was accepted.
   *
   * @param principal its owner
   * @param answer proves to the owner that this is the daemon; empty if the owner does not ask
   */
  record Ticket(String principal, Optional<byte[]> answer) {}
}
