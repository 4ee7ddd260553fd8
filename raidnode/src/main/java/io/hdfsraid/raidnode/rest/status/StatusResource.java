// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.function.Supplier;

/** {@value ApiPaths#STATUS}. */
@Path(ApiPaths.STATUS)
@Produces(MediaType.APPLICATION_JSON)
public final class StatusResource {
  private final Supplier<Status> status;

  public StatusResource(Supplier<Status> status) {
    this.status = status;
  }

  /** Returns how the daemon and the raided files are. */
  @GET
  @Requires(Role.VIEWER)
  public Status status() {
    return status.get();
  }
}
