// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Answers requests that need the NameNode while it is away. They would otherwise wait for it, as
 * long as Hadoop's client does.
 */
public final class OutageFeature implements DynamicFeature {
  private static final int AFTER_ROLES = Priorities.USER + 1;

  private final Supplier<Optional<String>> outage;
  private final KnownTrouble trouble;

  /**
   * @param outage describes the outage that goes on
   * @param trouble tells failures that belong to it
   */
  public OutageFeature(Supplier<Optional<String>> outage, KnownTrouble trouble) {
    this.outage = outage;
    this.trouble = trouble;
  }

  @Override
  public void configure(ResourceInfo endpoint, FeatureContext context) {
    if (endpoint.getResourceMethod().isAnnotationPresent(NeedsNameNode.class)) {
      ContainerRequestFilter filter =
          request -> {
            Optional<ApiFailure> away = now();
            if (away.isPresent()) {
              throw away.get();
            }
          };
      context.register(filter, AFTER_ROLES);
    }
  }

  /** Returns the answer to a request that has failed; empty if it failed for another reason. */
  Optional<ApiFailure> answer(Throwable failure) {
    return trouble.explains(failure) ? now() : Optional.empty();
  }

  private Optional<ApiFailure> now() {
    return outage
        .get()
        .map(
            sentence ->
                new ApiFailure(
                    ErrorCode.NOT_READY,
                    sentence,
                    "Everything goes on by itself when it is well; ask again then."));
  }
}
