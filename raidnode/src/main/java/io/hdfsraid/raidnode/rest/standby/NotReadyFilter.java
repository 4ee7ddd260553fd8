// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.standby;

import io.dropwizard.jersey.setup.JerseyEnvironment;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.access.PermittedPaths;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.ErrorMapper;
import io.hdfsraid.raidnode.rest.access.ViewFilter;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.function.Supplier;

/** Refuses every request while the daemon waits, except {@code GET} of {@value ApiPaths#DAEMON}. */
@PreMatching
public final class NotReadyFilter implements ContainerRequestFilter {
  private final Supplier<String> reason;
  private final String hint;

  private NotReadyFilter(Supplier<String> reason, String hint) {
    this.reason = reason;
    this.hint = hint;
  }

  /**
   * Registers such a filter, with what writes its refusals.
   *
   * @param reason why the daemon waits now
   * @param hint what helps
   * @param report what is answered to the one question that is not refused
   */
  public static void addTo(
      JerseyEnvironment jersey,
      Supplier<String> reason,
      String hint,
      DaemonResource.Source report) {
    jersey.register(new ErrorMapper());
    jersey.register(new DaemonResource(report));
    jersey.register(new ViewFilter(PermittedPaths.none()));
    jersey.register(new NotReadyFilter(reason, hint));
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!isAnswered(request)) {
      throw new ApiFailure(ErrorCode.NOT_READY, reason.get(), hint);
    }
  }

  private static boolean isAnswered(ContainerRequestContext request) {
    boolean decode = false;
    String path = "/" + request.getUriInfo().getPath(decode);
    return request.getMethod().equals(HttpMethod.GET) && path.equals(ApiPaths.DAEMON);
  }
}
