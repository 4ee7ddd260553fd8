// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.quarantine;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.quarantine.QuarantinedParity;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.NeedsNameNode;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.RequestBody;
import io.hdfsraid.raidnode.rest.access.Caller;
import io.hdfsraid.raidnode.rest.access.Requires;
import io.hdfsraid.raidnode.rest.tasks.StartsTask;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;

/** {@value ApiPaths#QUARANTINE} and below. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class QuarantineResource {
  private final QuarantineService desk;

  public QuarantineResource(QuarantineService desk) {
    this.desk = desk;
  }

  /** Lists the parity in quarantine. */
  @GET
  @NeedsNameNode
  @Requires(Role.VIEWER)
  @Path(ApiPaths.QUARANTINE)
  public Page<QuarantinedParity> list(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor)
      throws IOException {
    return desk.list(QueryParameters.below(path), QueryParameters.paging(limit, cursor));
  }

  /** Puts quarantined parity back into service, or shows what would be restored. */
  @POST
  @NeedsNameNode
  @Requires(Role.OPERATOR)
  @Path(ApiPaths.QUARANTINE_RESTORE)
  @StartsTask
  @Consumes(MediaType.APPLICATION_JSON)
  public ChangePreview restore(QuarantineRequest request, @Context SecurityContext caller)
      throws IOException {
    return desk.restore(RequestBody.present(request, RequestBody.PATH), Caller.by(caller));
  }

  /** Deletes quarantined parity for good, or shows what would be deleted. */
  @POST
  @NeedsNameNode
  @Requires(Role.ADMIN)
  @Path(ApiPaths.QUARANTINE_PURGE)
  @StartsTask
  @Consumes(MediaType.APPLICATION_JSON)
  public ChangePreview purge(QuarantineRequest request, @Context SecurityContext caller)
      throws IOException {
    return desk.purge(RequestBody.present(request, RequestBody.PATH), Caller.by(caller));
  }
}
