// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.standby;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#DAEMON}. */
@Path(ApiPaths.DAEMON)
@Produces(MediaType.APPLICATION_JSON)
public final class DaemonResource {
  private final Source source;

  /** Tells how this daemon is. */
  @FunctionalInterface
  public interface Source {
    DaemonReport report() throws IOException;
  }

  public DaemonResource(Source source) {
    this.source = source;
  }

  /**
   * Returns whether this very daemon is active or stands by, and how it is. A daemon that stands by
   * answers this by itself, and sends all other requests to the active one.
   */
  @GET
  @Requires(Role.VIEWER)
  public DaemonReport daemon() throws IOException {
    return source.report();
  }
}
