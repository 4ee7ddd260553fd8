package io.hdfsraid.raidnode.recency.source;

import java.time.Instant;
import java.util.Optional;

/** Since when sources miss nothing; outlives a restart. */
public interface TrackingNotes {
  Optional<Instant> since(String source);

  void since(String source, Instant start);
}
