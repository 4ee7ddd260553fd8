// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.files.FileDetail;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.NeedsNameNode;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#FILES} and what is below it. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class FilesResource {
  private final FilesService view;

  public FilesResource(FilesService view) {
    this.view = view;
  }

  /** Lists files that the daemon knows, by inode id. */
  @GET
  @Requires(Role.VIEWER)
  @Path(ApiPaths.FILES)
  public Page<FileSummary> list(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.STATE) String state,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor) {
    return view.list(
        QueryParameters.below(path),
        QueryParameters.state(state),
        QueryParameters.paging(limit, cursor));
  }

  /** Returns what is known about one file, with the health of its stripes. */
  @GET
  @NeedsNameNode
  @Requires(Role.VIEWER)
  @Path(ApiPaths.FILE)
  public FileDetail find(@PathParam("inode") String inode) throws IOException {
    return view.find(QueryParameters.inode(inode))
        .orElseThrow(
            () ->
                ApiFailure.notFound(
                    "No file with inode id %s is known".formatted(inode),
                    "The next scan finds new files."));
  }
}
