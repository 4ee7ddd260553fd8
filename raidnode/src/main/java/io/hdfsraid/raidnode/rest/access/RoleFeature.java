// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.rest.ApiFailure;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Optional;

/** Lets nobody call an endpoint without its role. */
public final class RoleFeature implements DynamicFeature {
  static final String ADVICE =
      "An administrator of the RaidNode gives roles: to Kerberos users with api.roles in raidnode.yml, to others with a token (raidnode token create).";

  /**
   * @throws IllegalStateException if an endpoint says nothing about roles, so that a new one cannot
   *     be open to everybody by mistake
   */
  @Override
  public void configure(ResourceInfo endpoint, FeatureContext context) {
    Requires requires = endpoint.getResourceMethod().getAnnotation(Requires.class);
    if (requires == null) {
      if (!endpoint.getResourceClass().isAnnotationPresent(Path.class)) {
        return; // Jersey's own answer to OPTIONS
      }
      throw new IllegalStateException(endpoint.getResourceMethod() + " must say who may call it");
    }
    Role needed = requires.value();
    ContainerRequestFilter filter =
        request -> {
          Optional<String> lack = Caller.of(request.getSecurityContext()).lacks(needed);
          if (lack.isPresent()) {
            throw new ApiFailure(ErrorCode.FORBIDDEN, lack.get(), ADVICE);
          }
        };
    context.register(filter, Priorities.AUTHORIZATION);
  }
}
