// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.index.RebuildResult;
import io.hdfsraid.recency.source.SourceState;
import java.util.List;
import java.util.Optional;

/** The status of the sources of accesses. */
public interface RecencyStatus {
  /** Returns the state of each source. */
  List<SourceState> states();

  /** Returns the result of the last rebuild in this process; empty if there was none. */
  Optional<RebuildResult> lastRebuilt();
}
