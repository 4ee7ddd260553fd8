// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.settings;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.access.Caller;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;

/** {@value ApiPaths#SETTINGS}: a change is only shown, unless told. */
@Path(ApiPaths.SETTINGS)
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class SettingsResource {
  private final SettingsService settings;

  public SettingsResource(SettingsService settings) {
    this.settings = settings;
  }

  /** Returns the settings that can be changed while the daemon runs. */
  @GET
  @Requires(Role.VIEWER)
  public SettingsReport settings() {
    return settings.settings();
  }

  /** Changes settings until the daemon is started again, or shows the change. */
  @PUT
  @Requires(Role.ADMIN)
  public SettingsReport change(SettingsRequest request, @Context SecurityContext caller) {
    if (request == null || request.values().isEmpty()) {
      throw ApiFailure.badRequest(
          "The request names no setting", "Send {\"values\": {\"raiding.workers\": \"3\"}}");
    }
    return settings.change(request, Caller.by(caller));
  }
}
