// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.repairs;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.repairs.CancelRepairRequest;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.repairs.RepairRequest;
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

/**
 * {@value ApiPaths#REPAIRS}, {@value ApiPaths#REPAIR} and {@value ApiPaths#REPAIRS_CANCEL}:
 * previews, unless the request says otherwise.
 */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class RepairsResource {
  private static final String BODY =
      "{\"path\": \"/...\"}, {\"stripes\": [\"16387/0\"]} or {\"all\": true}";

  private final QueuedRepairs view;
  private final RepairService desk;

  public RepairsResource(QueuedRepairs view, RepairService desk) {
    this.view = view;
    this.desk = desk;
  }

  /** Lists the queue of repairs, most urgent first. */
  @GET
  @Requires(Role.VIEWER)
  @Path(ApiPaths.REPAIRS)
  public Page<QueuedRepair> list(
      @QueryParam(ApiPaths.LIMIT) String limit, @QueryParam(ApiPaths.CURSOR) String cursor) {
    return view.list(QueryParameters.paging(limit, cursor));
  }

  /** Repairs lost units, or shows what would be repaired. */
  @POST
  @NeedsNameNode
  @Requires(Role.OPERATOR)
  @Path(ApiPaths.REPAIR)
  @StartsTask
  @Consumes(MediaType.APPLICATION_JSON)
  public ChangePreview repair(RepairRequest request, @Context SecurityContext caller)
      throws IOException {
    return desk.repair(RequestBody.present(request, BODY), Caller.by(caller));
  }

  /** Cancels requests for repairs, or pauses the repairs of stripes. */
  @POST
  @Requires(Role.OPERATOR)
  @Path(ApiPaths.REPAIRS_CANCEL)
  @Consumes(MediaType.APPLICATION_JSON)
  public ChangePreview cancel(CancelRepairRequest request, @Context SecurityContext caller)
      throws IOException {
    return desk.cancel(RequestBody.present(request, BODY), Caller.by(caller));
  }
}
