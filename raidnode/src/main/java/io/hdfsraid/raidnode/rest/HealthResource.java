package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.PlacementReport;
import io.hdfsraid.raidapi.SkewReport;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#FSCK}, {@value ApiPaths#PLACEMENT} and {@value ApiPaths#SKEW}. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class HealthResource {
  private final HealthReports reports;

  HealthResource(HealthReports reports) {
    this.reports = reports;
  }

  @GET
  @Path(ApiPaths.FSCK)
  public FsckReport fsck(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor)
      throws IOException {
    return reports.fsck(Query.below(path), Query.paging(limit, cursor));
  }

  @GET
  @Path(ApiPaths.PLACEMENT)
  public PlacementReport placement(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor)
      throws IOException {
    return reports.placement(Query.below(path), Query.paging(limit, cursor));
  }

  @GET
  @Path(ApiPaths.SKEW)
  public SkewReport skew() throws IOException {
    return reports.skew();
  }
}
