package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidapi.policies.PoliciesValidation;
import io.hdfsraid.raidapi.policies.ValidatePoliciesRequest;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.QueryParameters;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/**
 * {@value ApiPaths#POLICIES}, {@value ApiPaths#POLICIES_VALIDATE} and {@value ApiPaths#EXPLAIN}.
 */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class PoliciesResource {
  private final PoliciesService service;
  private final PoliciesValidator validator;

  public PoliciesResource(PoliciesService service, PoliciesValidator validator) {
    this.service = service;
    this.validator = validator;
  }

  @GET
  @Path(ApiPaths.POLICIES)
  public PoliciesReport policies() {
    return service.policies();
  }

  @GET
  @Path(ApiPaths.EXPLAIN)
  public FileExplanation explain(@QueryParam(ApiPaths.PATH) String path) throws IOException {
    return service.explain(QueryParameters.absolute(path));
  }

  /** Validates policies that arrive as JSON or as the text of the file, see {@link YamlBody}. */
  @POST
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
