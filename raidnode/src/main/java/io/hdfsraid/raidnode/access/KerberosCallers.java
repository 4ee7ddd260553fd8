// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells who has sent a Kerberos ticket, and what this person may do. Safe for concurrent use. */
public final class KerberosCallers {
  private static final Logger LOG = LoggerFactory.getLogger(KerberosCallers.class);

  private final TicketReader tickets;
  private final Users users;
  private final GrantedRoles roles;

  /**
   * Somebody with a valid ticket.
   *
   * @param answer proves to the sender that this is the daemon; empty if the sender does not ask
   */
  public record Accepted(Person person, Optional<byte[]> answer) {}

  public KerberosCallers(TicketReader tickets, Users users, GrantedRoles roles) {
    this.tickets = tickets;
    this.users = users;
    this.roles = roles;
  }

  /**
   * Returns who has sent a token. A principal that stands for no user here has no role.
   *
   * @throws TicketException if its ticket is not accepted; the reason stands in the log then
   */
  public Accepted accept(byte[] token) throws TicketException {
    try {
      TicketReader.Ticket ticket = tickets.read(token);
      return new Accepted(person(ticket.principal()), ticket.answer());
    } catch (TicketException e) {
      LOG.warn("{}", e.getMessage());
      throw e;
    }
  }

  private Person person(String principal) throws TicketException {
    String user;
    try {
      user = users.user(principal);
    } catch (IOException e) {
      LOG.warn(
          "The principal {} stands for no user, so it has no role: {}. See hadoop.security.auth_to_local in core-site.xml",
          principal,
          e.getMessage());
      return person(principal, Optional.empty());
    }
    return person(user, roles.of(user, () -> users.groups(user)));
  }

  private static Person person(String name, Optional<Role> role) throws TicketException {
    try {
      return new Person(name, role, KnownBy.KERBEROS);
    } catch (IllegalArgumentException e) {
      throw new TicketException("A Kerberos ticket is not accepted: " + e.getMessage(), e);
    }
  }
}
