// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.health;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
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

/** {@value ApiPaths#FSCK}. */
@Path(ApiPaths.FSCK)
@Produces(MediaType.APPLICATION_JSON)
public final class FsckResource {
  private final FsckService service;

  public FsckResource(FsckService service) {
    this.service = service;
  }

  /** Returns the health of at most 100 raided files. A POST checks more of them, as a task. */
  @GET
  @NeedsNameNode
  @Requires(Role.VIEWER)
  public FsckReport fsck(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor)
      throws IOException {
    return service.fsck(QueryParameters.below(path), QueryParameters.paging(limit, cursor));
  }

  /** Checks the health of raided files as a task, whose result is the report. Changes nothing. */
  @POST
  @NeedsNameNode
  @Requires(Role.VIEWER)
  @StartsTask
  @Consumes(MediaType.APPLICATION_JSON)
  public TaskReport start(FsckRequest request, @Context SecurityContext caller) throws IOException {
    return service.start(RequestBody.present(request, RequestBody.PATH), Caller.by(caller));
  }
}
