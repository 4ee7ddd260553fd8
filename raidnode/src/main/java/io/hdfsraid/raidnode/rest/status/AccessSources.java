// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.status.AccessSource;
import io.hdfsraid.recency.source.SourceState;
import java.util.List;

/** Shows the states of the sources of accesses as the REST API does. */
public final class AccessSources {
  private AccessSources() {}

  public static List<AccessSource> of(List<SourceState> states) {
    return states.stream()
        .map(
            state ->
                new AccessSource(
                    state.name(), state.since(), state.knownUntil(), state.problem().orElse("")))
        .toList();
  }
}
