// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.mode;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.mode.FootprintReport;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.NeedsNameNode;
import io.hdfsraid.raidnode.rest.RequestBody;
import io.hdfsraid.raidnode.rest.access.Caller;
import io.hdfsraid.raidnode.rest.access.Requires;
import io.hdfsraid.raidnode.rest.tasks.StartsTask;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;

/** {@value ApiPaths#WITHDRAW}, {@value ApiPaths#PAUSE}, {@value ApiPaths#FOOTPRINT}. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class ModeResource {
  private final ModeService desk;

  public ModeResource(ModeService desk) {
    this.desk = desk;
  }

  /** Gives every raided file its replicas back and stops raiding, or shows what that takes. */
  @POST
  @NeedsNameNode
  @Requires(Role.ADMIN)
  @Path(ApiPaths.WITHDRAW)
  @StartsTask
  @Consumes(MediaType.APPLICATION_JSON)
  public ChangePreview withdraw(WithdrawRequest request, @Context SecurityContext caller)
      throws IOException {
    return desk.withdraw(RequestBody.present(request, "{\"purge\": false}"), Caller.by(caller));
  }

  /**
   * Stops policies from raiding, or lets them raid again. To end a withdrawal takes the role that
   * starts one.
   */
  @POST
  @Requires(Role.OPERATOR)
  @Path(ApiPaths.PAUSE)
  @Consumes(MediaType.APPLICATION_JSON)
  public ChangePreview pause(PauseRequest request, @Context SecurityContext caller)
      throws IOException {
    return desk.pause(
        RequestBody.present(request, "{\"paused\": true}"),
        Caller.by(caller),
        Caller.lacks(caller, Role.ADMIN));
  }

  /** Returns what HDFS-RAID occupies on the cluster. */
  @GET
  @NeedsNameNode
  @Requires(Role.VIEWER)
  @Path(ApiPaths.FOOTPRINT)
  public FootprintReport footprint() throws IOException {
    return desk.footprint();
  }
}
