package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.namespace.Rebuilt;
import io.hdfsraid.raidnode.recency.source.SourceState;
import java.util.List;
import java.util.Optional;

/** What is known of the sources themselves. */
public interface SourceReports {
  /** How each stands. */
  List<SourceState> states();

  /** What came of taking in the last image since this process began; empty before. */
  Optional<Rebuilt> lastRebuilt();
}
