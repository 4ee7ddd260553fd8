package io.hdfsraid.raidnode.rest.raiding;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidnode.rest.RequestBody;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/**
 * {@value ApiPaths#RAID} and {@value ApiPaths#UNRAID}: previews, unless the request says otherwise.
 */
@Path("/")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class RaidingResource {
  private final RaidingService service;

  public RaidingResource(RaidingService service) {
    this.service = service;
  }

  @POST
  @Path(ApiPaths.RAID)
  public ChangePreview raid(RaidRequest request) throws IOException {
    return service.raid(RequestBody.present(request, RequestBody.PATH));
  }

  @POST
  @Path(ApiPaths.UNRAID)
  public ChangePreview unraid(UnraidRequest request) throws IOException {
    return service.unraid(RequestBody.present(request, RequestBody.PATH));
  }
}
