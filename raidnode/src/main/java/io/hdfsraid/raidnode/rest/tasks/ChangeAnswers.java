// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidnode.rest.access.AuditLog;
import jakarta.annotation.Priority;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.lang.annotation.Annotation;
import java.util.Optional;

/**
 * Gives the answers to changes their HTTP status: 202 and the address of the task if one carries
 * the change out, and 409 if the change was refused as a whole. A dry run succeeds also if it shows
 * a refusal. Runs before the audit, which records the status.
 */
@Priority(Priorities.USER + 200)
public final class ChangeAnswers implements ContainerResponseFilter {
  private static final String HINT = "The member 'change' has the reason for each file or stripe.";

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getEntity() instanceof ChangePreview change) {
      if (change.task().isPresent()) {
        accepted(change.task().get(), request, response);
      } else if (isRefused(change) && !isDryRun(request)) {
        refused(change, response);
      }
    } else if (response.getEntity() instanceof TaskReport task
        && request.getMethod().equals(HttpMethod.POST)) {
      accepted(task.id(), request, response);
    }
  }

  private static void accepted(
      String task, ContainerRequestContext request, ContainerResponseContext response) {
    response.setStatus(Status.ACCEPTED.getStatusCode());
    // Below the path of the nameservice, if there are several.
    String root = request.getUriInfo().getBaseUri().getPath().replaceAll("/+$", "");
    response.getHeaders().putSingle(HttpHeaders.LOCATION, root + address(task));
  }

  static String address(String task) {
    return ApiPaths.TASK.replace("{id}", task);
  }

  /** Nothing was done also if too much is lost. */
  private static boolean isRefused(ChangePreview change) {
    return change.outcome() == Outcome.REFUSED || change.outcome() == Outcome.UNRECOVERABLE;
  }

  private static boolean isDryRun(ContainerRequestContext request) {
    return AuditLog.change(request).map(ChangeRequest::dryRun).orElse(true);
  }

  private static void refused(ChangePreview change, ContainerResponseContext response) {
    ApiError error = ApiError.refused(change, message(change), HINT);
    response.setStatus(error.status());
    response.setEntity(error, new Annotation[0], MediaType.valueOf(ApiError.MEDIA_TYPE));
  }

  private static String message(ChangePreview change) {
    Optional<ChangePreview.Item> first =
        change.items().stream().filter(item -> item.refused().isPresent()).findFirst();
    return first
        .map(
            item ->
                "Nothing was changed, because all %d files were refused. %s: %s"
                    .formatted(change.refused(), item.path(), item.what()))
        .orElse("Nothing was changed. " + change.note());
  }
}
