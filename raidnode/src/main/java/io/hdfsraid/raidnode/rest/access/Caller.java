// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import io.hdfsraid.raidnode.access.Person;
import io.hdfsraid.raidnode.access.Role;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Optional;

/** The person that a request comes from, as {@link AccessFilter} has found out. */
public final class Caller {
  private Caller() {}

  static Person of(SecurityContext request) {
    return (Person) request.getUserPrincipal();
  }

  /** Returns why the sender has no such role; empty if the sender has it. */
  public static Optional<String> lacks(SecurityContext request, Role role) {
    return of(request).lacks(role);
  }

  /** Returns the name under which the history lists what the request does. */
  public static String by(SecurityContext request) {
    return of(request).by();
  }
}
