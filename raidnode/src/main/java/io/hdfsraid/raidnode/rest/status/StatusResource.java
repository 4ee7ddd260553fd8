package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.status.Status;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#STATUS}. */
@Path(ApiPaths.STATUS)
@Produces(MediaType.APPLICATION_JSON)
public final class StatusResource {
  private final StatusService view;

  public StatusResource(StatusService view) {
    this.view = view;
  }

  @GET
  public Status status() {
    return view.status();
  }
}
