// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.version;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.version.VersionReport;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#VERSION}. */
@Path(ApiPaths.VERSION)
@Produces(MediaType.APPLICATION_JSON)
public final class VersionResource {
  private final VersionReport version;

  public VersionResource(VersionReport version) {
    this.version = version;
  }

  /** Returns the versions of the daemon and of what it runs on. */
  @GET
  @Requires(Role.VIEWER)
  public VersionReport version() {
    return version;
  }
}
