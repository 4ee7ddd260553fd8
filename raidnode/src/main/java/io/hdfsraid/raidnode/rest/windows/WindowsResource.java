// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.windows;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest;
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

/** {@value ApiPaths#WINDOWS}. */
@Path(ApiPaths.WINDOWS)
@Produces(MediaType.APPLICATION_JSON)
public final class WindowsResource {
  private final WindowsService desk;

  public WindowsResource(WindowsService desk) {
    this.desk = desk;
  }

  /** Returns when policies may act. */
  @GET
  @Requires(Role.VIEWER)
  public WindowsReport windows() {
    return desk.windows();
  }

  /** Overrides for some time when policies may act, or shows the change. */
  @POST
  @Requires(Role.OPERATOR)
  @Consumes(MediaType.APPLICATION_JSON)
  public WindowsReport override(WindowsRequest request, @Context SecurityContext caller) {
    return desk.override(
        RequestBody.present(request, "{\"mode\": \"OPEN\", \"durationSeconds\": 14400}"),
        Caller.by(caller));
  }
}
