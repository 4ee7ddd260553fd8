package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.HoursRequest;
import io.hdfsraid.raidapi.HoursView;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#HOURS}. */
@Path(ApiPaths.HOURS)
@Produces(MediaType.APPLICATION_JSON)
public final class HoursResource {
  private final HoursDesk desk;

  HoursResource(HoursDesk desk) {
    this.desk = desk;
  }

  @GET
  public HoursView hours() {
    return desk.hours();
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public HoursView override(HoursRequest request) {
    return desk.override(Body.present(request, "{\"wish\": \"OPEN\", \"time\": \"PT4H\"}"));
  }
}
