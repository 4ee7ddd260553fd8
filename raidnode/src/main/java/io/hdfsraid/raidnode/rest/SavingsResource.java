package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.SavingsReport;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#SAVINGS}. */
@Path(ApiPaths.SAVINGS)
@Produces(MediaType.APPLICATION_JSON)
public final class SavingsResource {
  private static final int DEEPEST = 32;

  private final SavingsView view;

  SavingsResource(SavingsView view) {
    this.view = view;
  }

  @GET
  public SavingsReport savings(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.DEPTH) String depth,
      @QueryParam(ApiPaths.COMPLETE) String complete)
      throws IOException {
    return view.savings(Query.below(path), depth(depth), "true".equals(complete));
  }

  private static int depth(String text) {
    try {
      int depth = text == null ? 1 : Integer.parseInt(text);
      if (depth >= 0 && depth <= DEEPEST) {
        return depth;
      }
    } catch (NumberFormatException e) {
      // Said below, as for any other impossible depth.
    }
    throw ApiFailure.badRequest(
        "depth must be a whole number, but is " + text, "It is 0 to " + DEEPEST + ".");
  }
}
