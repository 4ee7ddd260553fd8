package io.hdfsraid.raidnode.rest.settings;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidnode.rest.ApiFailure;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#SETTINGS}: a change is only shown, unless told. */
@Path(ApiPaths.SETTINGS)
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class SettingsResource {
  private final SettingsService settings;

  public SettingsResource(SettingsService settings) {
    this.settings = settings;
  }

  @GET
  public SettingsReport settings() {
    return settings.settings();
  }

  @PUT
  public SettingsReport change(SettingsRequest request) {
    if (request == null || request.values().isEmpty()) {
      throw ApiFailure.badRequest(
          "The request names no setting", "Send {\"values\": {\"raiding.workers\": \"3\"}}");
    }
    return settings.change(request);
  }
}
