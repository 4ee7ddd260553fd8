// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.repairs;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.repairs.StormReport;
import io.hdfsraid.raidapi.repairs.StormRequest;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.RequestBody;
import io.hdfsraid.raidnode.rest.access.Caller;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;

/** {@value ApiPaths#STORM}. */
@Path(ApiPaths.STORM)
@Produces(MediaType.APPLICATION_JSON)
public final class StormResource {
  private final StormService desk;

  public StormResource(StormService desk) {
    this.desk = desk;
  }

  /** Returns whether most repairs pause because much has failed at once. */
  @GET
  @Requires(Role.VIEWER)
  public StormReport storm() throws IOException {
    return desk.storm();
  }

  /** Lets all repairs go on although much has failed at once. */
  @POST
  @Requires(Role.OPERATOR)
  @Consumes(MediaType.APPLICATION_JSON)
  public StormReport override(StormRequest request, @Context SecurityContext caller)
      throws IOException {
    return desk.override(RequestBody.present(request, "{\"dryRun\": false}"), Caller.by(caller));
  }
}
