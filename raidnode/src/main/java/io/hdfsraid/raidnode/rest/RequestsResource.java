package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidRequest;
import io.hdfsraid.raidapi.ScrubRequest;
import io.hdfsraid.raidapi.UnraidRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/**
 * {@value ApiPaths#RAID}, {@value ApiPaths#UNRAID} and {@value ApiPaths#SCRUB}: only plans, unless
 * told.
 */
@Path("/")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class RequestsResource {
  private final RaidRequests requests;

  RequestsResource(RaidRequests requests) {
    this.requests = requests;
  }

  @POST
  @Path(ApiPaths.RAID)
  public PlanView raid(RaidRequest request) throws IOException {
    return requests.raid(Body.present(request, Body.PATH));
  }

  @POST
  @Path(ApiPaths.UNRAID)
  public PlanView unraid(UnraidRequest request) throws IOException {
    return requests.unraid(Body.present(request, Body.PATH));
  }

  @POST
  @Path(ApiPaths.SCRUB)
  public PlanView scrub(ScrubRequest request) throws IOException {
    return requests.scrub(Body.present(request, Body.PATH));
  }
}
