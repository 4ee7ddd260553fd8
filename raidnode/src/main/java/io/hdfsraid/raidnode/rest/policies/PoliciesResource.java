// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidapi.policies.PoliciesValidation;
import io.hdfsraid.raidapi.policies.ValidatePoliciesRequest;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.NeedsNameNode;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * {@value ApiPaths#POLICIES}, {@value ApiPaths#POLICIES_VALIDATE} and {@value ApiPaths#EXPLAIN}.
 */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class PoliciesResource {
  private final Supplier<PoliciesReport> policies;
  private final Explainer explainer;
  private final PoliciesValidator validator;

  /** Explains the verdict on a file. */
  @FunctionalInterface
  public interface Explainer {
    /**
     * Explains why the file at a path is treated as it is.
     *
     * @throws ApiFailure if there is no such file
     */
    FileExplanation explain(String path) throws IOException;
  }

  public PoliciesResource(
      Supplier<PoliciesReport> policies, Explainer explainer, PoliciesValidator validator) {
    this.policies = policies;
    this.explainer = explainer;
    this.validator = validator;
  }

  /** Returns the policies in force. */
  @GET
  @Requires(Role.VIEWER)
  @Path(ApiPaths.POLICIES)
  public PoliciesReport policies() {
    return policies.get();
  }

  /** Explains why the daemon treats a file as it does. */
  @GET
  @NeedsNameNode
  @Requires(Role.VIEWER)
  @Path(ApiPaths.EXPLAIN)
  public FileExplanation explain(@QueryParam(ApiPaths.PATH) String path) throws IOException {
    return explainer.explain(QueryParameters.absolute(path));
  }

  /** Validates policies that arrive as JSON or as the text of the file, see {@link YamlBody}. */
  @POST
  @Requires(Role.VIEWER)
  @Path(ApiPaths.POLICIES_VALIDATE)
  @Consumes({
    MediaType.APPLICATION_JSON,
    "application/yaml",
    "application/x-yaml",
    "text/yaml",
    MediaType.TEXT_PLAIN
  })
  public PoliciesValidation validate(ValidatePoliciesRequest request) {
    if (request == null) {
      throw ApiFailure.badRequest(
          "The request is empty", "Send {\"yaml\": \"...\"} with the content of a policies.yml.");
    }
    return validator.validate(request);
  }
}
