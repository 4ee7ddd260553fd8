package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.CancelRequest;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RepairRequest;
import io.hdfsraid.raidapi.RepairView;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/**
 * {@value ApiPaths#REPAIRS}, {@value ApiPaths#REPAIR} and {@value ApiPaths#REPAIRS_CANCEL}: only
 * plans, unless told.
 */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class RepairsResource {
  private static final String BODY =
      "{\"path\": \"/...\"}, {\"stripes\": [\"16387/0\"]} or {\"all\": true}";

  private final RepairsView view;
  private final RepairDesk desk;

  RepairsResource(RepairsView view, RepairDesk desk) {
    this.view = view;
    this.desk = desk;
  }

  @GET
  @Path(ApiPaths.REPAIRS)
  public Page<RepairView> list(
      @QueryParam(ApiPaths.LIMIT) String limit, @QueryParam(ApiPaths.CURSOR) String cursor) {
    return view.list(Query.paging(limit, cursor));
  }

  @POST
  @Path(ApiPaths.REPAIR)
  @Consumes(MediaType.APPLICATION_JSON)
  public PlanView repair(RepairRequest request) throws IOException {
    return desk.repair(Body.present(request, BODY));
  }

  @POST
  @Path(ApiPaths.REPAIRS_CANCEL)
  @Consumes(MediaType.APPLICATION_JSON)
  public PlanView cancel(CancelRequest request) throws IOException {
    return desk.cancel(Body.present(request, BODY));
  }
}
