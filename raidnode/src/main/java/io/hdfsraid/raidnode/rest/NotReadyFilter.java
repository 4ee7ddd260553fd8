// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.dropwizard.jersey.setup.JerseyEnvironment;
import io.hdfsraid.raidapi.ErrorCode;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.Set;
import java.util.function.Supplier;

/** Refuses every request while the daemon waits, except for what it answers all the same. */
@PreMatching
public final class NotReadyFilter implements ContainerRequestFilter {
  private final Supplier<String> reason;
  private final String hint;
  private final Set<String> answered;

  private NotReadyFilter(Supplier<String> reason, String hint, Set<String> answered) {
    this.reason = reason;
    this.hint = hint;
    this.answered = answered;
  }

  /**
   * Registers such a filter, with what writes its refusals.
   *
   * @param reason why the daemon waits now
   * @param hint what helps
   * @param answered paths whose GET passes
   */
  public static void addTo(
      JerseyEnvironment jersey, Supplier<String> reason, String hint, String... answered) {
    jersey.register(new ErrorMapper());
    jersey.register(new NotReadyFilter(reason, hint, Set.of(answered)));
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!isAnswered(request)) {
      throw new ApiFailure(ErrorCode.NOT_READY, reason.get(), hint);
    }
  }

  private boolean isAnswered(ContainerRequestContext request) {
    boolean decode = false;
    String path = "/" + request.getUriInfo().getPath(decode);
    return request.getMethod().equals(HttpMethod.GET) && answered.contains(path);
  }
}
