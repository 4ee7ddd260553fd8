package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.RepairView;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#REPAIRS}. */
@Path(ApiPaths.REPAIRS)
@Produces(MediaType.APPLICATION_JSON)
public final class RepairsResource {
  private final RepairsView view;

  RepairsResource(RepairsView view) {
    this.view = view;
  }

  @GET
  public Page<RepairView> list(
      @QueryParam(ApiPaths.LIMIT) String limit, @QueryParam(ApiPaths.CURSOR) String cursor) {
    return view.list(Query.paging(limit, cursor));
  }
}
