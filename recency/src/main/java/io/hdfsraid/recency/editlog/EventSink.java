// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.editlog;

import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Receives changes of a namespace. */
public interface EventSink {
  /** Returns the position up to which a source was taken in; empty if it must begin anew. */
  Optional<Watermark> watermark(String source);

  /**
   * Applies events and moves the watermark, or does neither.
   *
   * @param events in order; empty if only the watermark moves
   * @param transaction the last transaction of the events
   */
  void apply(List<NamespaceEvent> events, long transaction, Watermark watermark) throws IOException;
}
