package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.StormAnswer;
import io.hdfsraid.raidapi.StormRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#STORM}. */
@Path(ApiPaths.STORM)
@Produces(MediaType.APPLICATION_JSON)
public final class StormResource {
  private final StormDesk desk;

  StormResource(StormDesk desk) {
    this.desk = desk;
  }

  @GET
  public StormAnswer storm() throws IOException {
    return desk.storm();
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public StormAnswer override(StormRequest request) throws IOException {
    return desk.override(Body.present(request, "{\"dryRun\": false}"));
  }
}
