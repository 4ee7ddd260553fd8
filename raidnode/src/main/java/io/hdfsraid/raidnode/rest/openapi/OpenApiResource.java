// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.openapi;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** {@value ApiPaths#OPENAPI}. The description is generated from the resources by a test. */
@Path(ApiPaths.OPENAPI)
@Produces(MediaType.APPLICATION_JSON)
public final class OpenApiResource {
  private final byte[] description;

  public OpenApiResource() {
    try (InputStream in = OpenApiResource.class.getResourceAsStream("openapi.json")) {
      description = in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the description of this API in the form of OpenAPI 3.1. */
  @GET
  @Requires(Role.VIEWER)
  public byte[] description() {
    return description.clone();
  }
}
