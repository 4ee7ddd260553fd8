// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.placement;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.placement.PlacementReport;
import io.hdfsraid.raidapi.placement.SkewReport;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.NeedsNameNode;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#PLACEMENT} and {@value ApiPaths#SKEW}. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class PlacementResource {
  private final PlacementService service;

  public PlacementResource(PlacementService service) {
    this.service = service;
  }

  /** Returns how the units of stripes are spread over nodes and racks. */
  @GET
  @NeedsNameNode
  @Requires(Role.VIEWER)
  @Path(ApiPaths.PLACEMENT)
  public PlacementReport placement(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor)
      throws IOException {
    return service.placement(QueryParameters.below(path), QueryParameters.paging(limit, cursor));
  }

  /** Returns how evenly bytes are spread over the live DataNodes. */
  @GET
  @Requires(Role.VIEWER)
  @Path(ApiPaths.SKEW)
  public SkewReport skew() throws IOException {
    return service.skew();
  }
}
