// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.scrub;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.NeedsNameNode;
import io.hdfsraid.raidnode.rest.RequestBody;
import io.hdfsraid.raidnode.rest.access.Caller;
import io.hdfsraid.raidnode.rest.access.Requires;
import io.hdfsraid.raidnode.rest.tasks.StartsTask;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;

/** {@value ApiPaths#SCRUB}: a preview, unless the request says otherwise. */
@Path(ApiPaths.SCRUB)
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class ScrubResource {
  private final ScrubService service;

  public ScrubResource(ScrubService service) {
    this.service = service;
  }

  /** Checks or reads stripes now, or shows which. */
  @POST
  @NeedsNameNode
  @Requires(Role.OPERATOR)
  @StartsTask
  public ChangePreview scrub(ScrubRequest request, @Context SecurityContext caller)
      throws IOException {
    return service.scrub(RequestBody.present(request, RequestBody.PATH), Caller.by(caller));
  }
}
