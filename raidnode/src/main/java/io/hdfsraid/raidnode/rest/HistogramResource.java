package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.FileHistogram;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#HISTOGRAM}. */
@Path(ApiPaths.HISTOGRAM)
@Produces(MediaType.APPLICATION_JSON)
public final class HistogramResource {
  private final HistogramView view;

  HistogramResource(HistogramView view) {
    this.view = view;
  }

  @GET
  public FileHistogram histogram(@QueryParam(ApiPaths.PATH) String path) {
    return view.histogram(Query.below(path));
  }
}
