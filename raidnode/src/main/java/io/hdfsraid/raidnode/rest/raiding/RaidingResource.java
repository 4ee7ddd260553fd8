// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.raiding;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
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

/**
 * {@value ApiPaths#RAID} and {@value ApiPaths#UNRAID}: previews, unless the request says otherwise.
 */
@Path("/")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class RaidingResource {
  private final RaidingService service;

  public RaidingResource(RaidingService service) {
    this.service = service;
  }

  /** Raids files now, or shows what would be raided. */
  @POST
  @NeedsNameNode
  @Requires(Role.OPERATOR)
  @Path(ApiPaths.RAID)
  @StartsTask
  public ChangePreview raid(RaidRequest request, @Context SecurityContext caller)
      throws IOException {
    return service.raid(RequestBody.present(request, RequestBody.PATH), Caller.by(caller));
  }

  /** Gives raided files their replicas back, or shows which. */
  @POST
  @NeedsNameNode
  @Requires(Role.OPERATOR)
  @Path(ApiPaths.UNRAID)
  @StartsTask
  public ChangePreview unraid(UnraidRequest request, @Context SecurityContext caller)
      throws IOException {
    return service.unraid(RequestBody.present(request, RequestBody.PATH), Caller.by(caller));
  }
}
