// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.editlog;

import io.hdfsraid.recency.namespace.NamespaceEvent;
import java.util.List;

/**
 * Consecutive transactions and their changes of the namespace.
 *
 * @param last the last transaction; the one before the batch if it is empty
 * @param newest the last transaction that the NameNode had written; 0 if it did not say
 * @param silent how many events changed nothing that the index keeps, such as permissions
 * @param events in order; a transaction has none, one or several
 */
public record EditBatch(long last, long newest, long silent, List<NamespaceEvent> events) {
  public EditBatch {
    events = List.copyOf(events);
  }
}
