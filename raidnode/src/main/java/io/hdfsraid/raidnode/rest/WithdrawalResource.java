package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.PauseRequest;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.TracesReport;
import io.hdfsraid.raidapi.WithdrawRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#WITHDRAW}, {@value ApiPaths#PAUSE}, {@value ApiPaths#TRACES}. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class WithdrawalResource {
  private final WithdrawalDesk desk;

  WithdrawalResource(WithdrawalDesk desk) {
    this.desk = desk;
  }

  @POST
  @Path(ApiPaths.WITHDRAW)
  @Consumes(MediaType.APPLICATION_JSON)
  public PlanView withdraw(WithdrawRequest request) throws IOException {
    return desk.withdraw(Body.present(request, "{\"purge\": false}"));
  }

  @POST
  @Path(ApiPaths.PAUSE)
  @Consumes(MediaType.APPLICATION_JSON)
  public PlanView pause(PauseRequest request) throws IOException {
    return desk.pause(Body.present(request, "{\"paused\": true}"));
  }

  @GET
  @Path(ApiPaths.TRACES)
  public TracesReport traces() throws IOException {
    return desk.traces();
  }
}
