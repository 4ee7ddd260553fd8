package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.recency.source.TrackingNotes;
import java.time.Instant;
import java.util.Optional;

/** Keeps since when sources miss nothing among the notes of the catalog. */
final class NotedTracking implements TrackingNotes {
  private final Notes notes;

  NotedTracking(Notes notes) {
    this.notes = notes;
  }

  @Override
  public Optional<Instant> since(String source) {
    return notes.instant(name(source));
  }

  @Override
  public void since(String source, Instant start) {
    notes.instant(name(source), start);
  }

  private static String name(String source) {
    return Notes.TRACKING_START + "/" + source;
  }
}
