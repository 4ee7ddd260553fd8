// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ErrorCode;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.List;

/** Refuses every request that names no nameservice, where there are several. */
@PreMatching
public final class NamelessFilter implements ContainerRequestFilter {
  private final String roots;
  private final String example;

  /**
   * @param paths below each of these is the API of one nameservice
   */
  public NamelessFilter(List<String> paths) {
    this.roots = String.join(", ", paths);
    this.example = paths.get(0).substring(paths.get(0).lastIndexOf('/') + 1);
  }

  @Override
  public void filter(ContainerRequestContext request) {
    throw new ApiFailure(
        ErrorCode.NOT_FOUND,
        "This daemon guards several nameservices, and the request names none",
        "Ask below one of %s; in the shell, with --nameservice %s".formatted(roots, example));
  }
}
