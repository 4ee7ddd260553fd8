package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.QuarantineRequest;
import io.hdfsraid.raidapi.QuarantineView;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#QUARANTINE} and below. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class QuarantineResource {
  private final QuarantineDesk desk;

  QuarantineResource(QuarantineDesk desk) {
    this.desk = desk;
  }

  @GET
  @Path(ApiPaths.QUARANTINE)
  public Page<QuarantineView> list(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor)
      throws IOException {
    return desk.list(Query.below(path), Query.paging(limit, cursor));
  }

  @POST
  @Path(ApiPaths.QUARANTINE_RESTORE)
  @Consumes(MediaType.APPLICATION_JSON)
  public PlanView restore(QuarantineRequest request) throws IOException {
    return desk.restore(Body.present(request, Body.PATH));
  }

  @POST
  @Path(ApiPaths.QUARANTINE_PURGE)
  @Consumes(MediaType.APPLICATION_JSON)
  public PlanView purge(QuarantineRequest request) throws IOException {
    return desk.purge(Body.present(request, Body.PATH));
  }
}
