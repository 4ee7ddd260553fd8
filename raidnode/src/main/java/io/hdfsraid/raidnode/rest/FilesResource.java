package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.FileDetail;
import io.hdfsraid.raidapi.FileView;
import io.hdfsraid.raidapi.Page;
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
  private final FilesView view;

  FilesResource(FilesView view) {
    this.view = view;
  }

  @GET
  @Path(ApiPaths.FILES)
  public Page<FileView> list(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.STATE) String state,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor) {
    return view.list(Query.below(path), Query.state(state), Query.paging(limit, cursor));
  }

  @GET
  @Path(ApiPaths.FILE)
  public FileDetail find(@PathParam("inode") String inode) throws IOException {
    return view.find(Query.inode(inode))
        .orElseThrow(
            () ->
                ApiFailure.notFound(
                    "Nothing is known about a file with inode id " + inode,
                    "A new file is known after the next scan."));
  }
}
