// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.RequestBody;
import io.hdfsraid.raidnode.rest.access.Caller;
import io.hdfsraid.raidnode.rest.access.Requires;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@value ApiPaths#TASKS} and below. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class TasksResource {
  private static final Set<TaskState> STATES = EnumSet.complementOf(EnumSet.of(TaskState.UNKNOWN));

  private final TaskService service;

  public TasksResource(TaskService service) {
    this.service = service;
  }

  /** Lists the tasks, newest first. */
  @GET
  @Requires(Role.VIEWER)
  @Path(ApiPaths.TASKS)
  public Page<TaskReport> list(
      @QueryParam(ApiPaths.STATE) String state,
      @QueryParam(ApiPaths.LIMIT) String limit,
      @QueryParam(ApiPaths.CURSOR) String cursor) {
    return service.list(state(state), QueryParameters.paging(limit, cursor));
  }

  private static Optional<TaskState> state(String name) {
    if (name == null) {
      return Optional.empty();
    }
    return Optional.of(
        STATES.stream()
            .filter(state -> state.name().equals(name.toUpperCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(
                () ->
                    ApiFailure.badRequest(
                        "There is no state " + name, "The states are " + STATES)));
  }

  /** Returns a task: how far it has come, or its result. */
  @GET
  @Requires(Role.VIEWER)
  @Path(ApiPaths.TASK)
  public TaskReport task(@PathParam("id") String id) {
    return service.find(id);
  }

  /** Cancels a task, or shows what would be cancelled. */
  @POST
  @Requires(Role.OPERATOR)
  @Path(ApiPaths.TASK_CANCEL)
  @Consumes(MediaType.APPLICATION_JSON)
  public ChangePreview cancel(
      @PathParam("id") String id, CancelTaskRequest request, @Context SecurityContext caller) {
    return service.cancel(
        id, RequestBody.present(request, "{\"dryRun\": false}"), Caller.by(caller));
  }
}
