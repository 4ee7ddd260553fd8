// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ErrorCode;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.function.Supplier;

/** Refuses every request, whatever it asks for, while the daemon waits for the NameNode. */
@PreMatching
public final class NotReadyFilter implements ContainerRequestFilter {
  private final Supplier<String> reason;

  public NotReadyFilter(Supplier<String> reason) {
    this.reason = reason;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    throw new ApiFailure(
        ErrorCode.NOT_READY,
        reason.get(),
        "The daemon goes on by itself as soon as the NameNode can be worked with.");
  }
}
