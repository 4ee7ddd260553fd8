package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.namespace.NamespaceEvent;
import io.hdfsraid.raidnode.namespace.Watermark;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Takes in how a namespace changes. */
public interface EventSink {
  /** How far a source was taken in; empty for one that never was, or must begin anew. */
  Optional<Watermark> watermark(String source);

  /**
   * Takes in events and remembers how far they go, both or neither.
   *
   * @param events in order; none where only the watermark moves
   * @param transaction the last one they stem from
   */
  void apply(List<NamespaceEvent> events, long transaction, Watermark watermark) throws IOException;
}
