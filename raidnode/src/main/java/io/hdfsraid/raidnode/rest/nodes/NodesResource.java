// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.nodes;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.NeedsNameNode;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#NODES}. */
@Path(ApiPaths.NODES)
@Produces(MediaType.APPLICATION_JSON)
public final class NodesResource {
  private final NodesService nodes;

  public NodesResource(NodesService nodes) {
    this.nodes = nodes;
  }

  /** Returns all DataNodes, with their state and what they hold. */
  @GET
  @NeedsNameNode
  @Requires(Role.VIEWER)
  public NodesReport nodes() throws IOException {
    return nodes.nodes();
  }
}
