package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.Explanation;
import io.hdfsraid.raidapi.PoliciesView;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#POLICIES} and {@value ApiPaths#EXPLAIN}. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class PoliciesResource {
  private final PolicyAnswers answers;

  PoliciesResource(PolicyAnswers answers) {
    this.answers = answers;
  }

  @GET
  @Path(ApiPaths.POLICIES)
  public PoliciesView policies() {
    return answers.policies();
  }

  @GET
  @Path(ApiPaths.EXPLAIN)
  public Explanation explain(@QueryParam(ApiPaths.PATH) String path) throws IOException {
    return answers.explain(Query.absolute(path));
  }
}
