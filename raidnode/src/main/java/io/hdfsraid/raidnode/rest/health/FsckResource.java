package io.hdfsraid.raidnode.rest.health;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#FSCK}. */
@Path(ApiPaths.FSCK)
@Produces(MediaType.APPLICATION_JSON)
public final class FsckResource {
  private final FsckService service;

  public FsckResource(FsckService service) {
    this.service = service;
  }

  /** Returns the health of raided files. Looks up the blocks of every stripe below the path. */
  @GET
  @Requires(Role.VIEWER)
  public FsckReport fsck(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor)
      throws IOException {
    return service.fsck(QueryParameters.below(path), QueryParameters.paging(limit, cursor));
  }
}
