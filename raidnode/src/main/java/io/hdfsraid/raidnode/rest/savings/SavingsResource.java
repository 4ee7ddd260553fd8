// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.savings;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.savings.SavingsTrend;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.NeedsNameNode;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;

/** {@value ApiPaths#SAVINGS} and {@value ApiPaths#SAVINGS_DAYS}. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class SavingsResource {
  private static final int DEEPEST = 32;

  private final SavingsService view;

  public SavingsResource(SavingsService view) {
    this.view = view;
  }

  /** Returns what raiding saves. */
  @GET
  @Path(ApiPaths.SAVINGS)
  @NeedsNameNode
  @Requires(Role.VIEWER)
  public SavingsReport savings(
      @QueryParam(ApiPaths.PATH) String path,
      @QueryParam(ApiPaths.DEPTH) String depth,
      @QueryParam(ApiPaths.COMPLETE) String complete)
      throws IOException {
    return view.savings(
        QueryParameters.below(path),
        depth(depth),
        QueryParameters.flag(ApiPaths.COMPLETE, complete));
  }

  /** Returns what raiding saved, day by day. */
  @GET
  @Path(ApiPaths.SAVINGS_DAYS)
  @Requires(Role.VIEWER)
  public SavingsTrend days() {
    return view.days();
  }

  private static int depth(String text) {
    try {
      int depth = text == null ? 1 : Integer.parseInt(text);
      if (depth >= 0 && depth <= DEEPEST) {
        return depth;
      }
    } catch (NumberFormatException e) {
      // Reported below, like any other invalid depth.
    }
    throw ApiFailure.badRequest(
        "depth must be a whole number, but is " + text, "Send 0 to " + DEEPEST + ".");
  }
}
