package io.hdfsraid.raidnode.rest.history;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#HISTORY}. */
@Path(ApiPaths.HISTORY)
@Produces(MediaType.APPLICATION_JSON)
public final class HistoryResource {
  private final HistoryService view;

  public HistoryResource(HistoryService view) {
    this.view = view;
  }

  @GET
  @Requires(Role.VIEWER)
  public Page<HistoryEntry> list(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor) {
    return view.list(QueryParameters.below(path), QueryParameters.paging(limit, cursor));
  }
}
