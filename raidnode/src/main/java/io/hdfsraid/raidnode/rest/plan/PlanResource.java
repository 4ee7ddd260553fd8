// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.plan;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.plan.RaidingPlan;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;

/** {@value ApiPaths#PLAN}. */
@Path(ApiPaths.PLAN)
@Produces(MediaType.APPLICATION_JSON)
public final class PlanResource {
  private final PlanService view;

  public PlanResource(PlanService view) {
    this.view = view;
  }

  /** Returns what the policies will do, by the last evaluation of all files. */
  @GET
  @Requires(Role.VIEWER)
  public RaidingPlan plan(@QueryParam(ApiPaths.POLICY) String policy) {
    return view.plan(Optional.ofNullable(policy));
  }
}
