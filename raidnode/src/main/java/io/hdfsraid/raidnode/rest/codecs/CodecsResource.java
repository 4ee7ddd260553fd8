// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.codecs;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.codecs.CodecsReport;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#CODECS}. */
@Path(ApiPaths.CODECS)
@Produces(MediaType.APPLICATION_JSON)
public final class CodecsResource {
  private final CodecsService codecs;

  public CodecsResource(CodecsService codecs) {
    this.codecs = codecs;
  }

  /** Returns the codecs that policies may name, and the kernels that compute them. */
  @GET
  @Requires(Role.VIEWER)
  public CodecsReport codecs() {
    return codecs.codecs();
  }
}
