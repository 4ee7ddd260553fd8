package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.RaidingOutlook;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;

/** {@value ApiPaths#PLAN}. */
@Path(ApiPaths.PLAN)
@Produces(MediaType.APPLICATION_JSON)
public final class OutlookResource {
  private final OutlookView view;

  OutlookResource(OutlookView view) {
    this.view = view;
  }

  @GET
  public RaidingOutlook outlook(@QueryParam(ApiPaths.POLICY) String policy) {
    return view.outlook(Optional.ofNullable(policy));
  }
}
