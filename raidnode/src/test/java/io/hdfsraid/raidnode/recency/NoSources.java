package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.namespace.Rebuilt;
import io.hdfsraid.raidnode.recency.source.SourceState;
import java.util.List;
import java.util.Optional;

/** Nothing tells of any use. */
public final class NoSources implements SourceReports {
  @Override
  public List<SourceState> states() {
    return List.of();
  }

  @Override
  public Optional<Rebuilt> lastRebuilt() {
    return Optional.empty();
  }
}
