package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.HistoryEntry;
import io.hdfsraid.raidapi.Page;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#HISTORY}. */
@Path(ApiPaths.HISTORY)
@Produces(MediaType.APPLICATION_JSON)
public final class HistoryResource {
  private final HistoryView view;

  HistoryResource(HistoryView view) {
    this.view = view;
  }

  @GET
  public Page<HistoryEntry> list(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor) {
    return view.list(Query.below(path), Query.paging(limit, cursor));
  }
}
