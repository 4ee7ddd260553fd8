// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.standby;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.standby.FailoverReport;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.RequestBody;
import io.hdfsraid.raidnode.rest.access.Caller;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;

/** {@value ApiPaths#FAILOVER}. */
@Path(ApiPaths.FAILOVER)
@Produces(MediaType.APPLICATION_JSON)
public final class FailoverResource {
  private final FailoverService service;

  public FailoverResource(FailoverService service) {
    this.service = service;
  }

  /** Leaves the work of this daemon to one that stands by. */
  @POST
  @Requires(Role.ADMIN)
  @Consumes(MediaType.APPLICATION_JSON)
  public FailoverReport failover(FailoverRequest request, @Context SecurityContext caller)
      throws IOException {
    return service.failover(RequestBody.present(request, "{\"dryRun\": false}"), Caller.by(caller));
  }
}
