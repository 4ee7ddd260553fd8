// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#HISTOGRAM}. */
@Path(ApiPaths.HISTOGRAM)
@Produces(MediaType.APPLICATION_JSON)
public final class HistogramResource {
  private final HistogramService view;

  public HistogramResource(HistogramService view) {
    this.view = view;
  }

  /** Returns how old, how large and how often replicated files are. */
  @GET
  @Requires(Role.VIEWER)
  public FileHistogram histogram(@QueryParam(ApiPaths.PATH) String path) {
    return view.histogram(QueryParameters.below(path));
  }
}
