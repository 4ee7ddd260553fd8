package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.namespace.NamespaceEvent;
import java.util.List;

/**
 * Transactions that follow one another without a gap, and what they say of the namespace.
 *
 * @param last the last of them; the one that was known when there are none
 * @param newest the last that the NameNode had written, as it said; 0 where it did not
 * @param silent how many events say nothing that is kept, as permissions
 * @param events in order; a transaction has none, one or several
 */
public record Edits(long last, long newest, long silent, List<NamespaceEvent> events) {
  public Edits {
    events = List.copyOf(events);
  }
}
