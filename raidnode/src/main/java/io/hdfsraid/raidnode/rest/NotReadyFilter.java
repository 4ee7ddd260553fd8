// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.dropwizard.jersey.setup.JerseyEnvironment;
import io.hdfsraid.raidapi.ErrorCode;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.function.Supplier;

/** Refuses every request, whatever it asks for, while the daemon waits. */
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
   */
  public static void addTo(JerseyEnvironment jersey, Supplier<String> reason, String hint) {
    jersey.register(new ErrorMapper());
    jersey.register(new NotReadyFilter(reason, hint));
  }

  @Override
  public void filter(ContainerRequestContext request) {
    throw new ApiFailure(ErrorCode.NOT_READY, reason.get(), hint);
  }
}
