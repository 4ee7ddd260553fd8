// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.access.Me;
import io.hdfsraid.raidnode.access.Person;
import io.hdfsraid.raidnode.access.Role;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.util.Locale;

/** {@value ApiPaths#ME}. */
@Path(ApiPaths.ME)
@Produces(MediaType.APPLICATION_JSON)
public final class MeResource {
  /** Returns who sends the request. */
  @GET
  @Requires(Role.VIEWER)
  public Me me(@Context SecurityContext caller) {
    Person person = Caller.of(caller);
    return new Me(
        person.by(),
        person.role().map(role -> role.name().toLowerCase(Locale.ROOT)).orElse("none"),
        person.known().toString());
  }
}
