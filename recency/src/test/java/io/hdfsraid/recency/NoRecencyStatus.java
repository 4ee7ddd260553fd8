// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.index.RebuildResult;
import io.hdfsraid.recency.source.SourceState;
import java.util.List;
import java.util.Optional;

/** The status of a daemon without sources. */
public final class NoRecencyStatus implements RecencyStatus {
  @Override
  public List<SourceState> states() {
    return List.of();
  }

  @Override
  public Optional<RebuildResult> lastRebuilt() {
    return Optional.empty();
  }
}
