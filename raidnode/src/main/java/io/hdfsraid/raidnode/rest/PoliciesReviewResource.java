package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.PoliciesCheck;
import io.hdfsraid.raidapi.PoliciesDraft;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@value ApiPaths#POLICIES_VALIDATE}. */
@Path(ApiPaths.POLICIES_VALIDATE)
@Produces(MediaType.APPLICATION_JSON)
public final class PoliciesReviewResource {
  private final PoliciesReview review;

  PoliciesReviewResource(PoliciesReview review) {
    this.review = review;
  }

  /** JSON, or the file as it is, see {@link YamlDraft}. */
  @POST
  @Consumes({
    MediaType.APPLICATION_JSON,
    "application/yaml",
    "application/x-yaml",
    "text/yaml",
    MediaType.TEXT_PLAIN
  })
  public PoliciesCheck check(PoliciesDraft draft) {
    if (draft == null) {
      throw ApiFailure.badRequest(
          "The request is empty", "Send {\"yaml\": \"...\"} with the content of a policies.yml.");
    }
    return review.check(draft);
  }
}
