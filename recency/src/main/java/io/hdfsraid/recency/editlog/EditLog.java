// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.editlog;

import java.io.IOException;

/** The NameNode's log of transactions. Used by one thread at a time. */
public interface EditLog {
  /**
   * Returns the last transaction that was written; -1 while no NameNode is active, as during a
   * failover.
   */
  long newest() throws IOException;

  /**
   * Returns the next transactions, as many as the NameNode sends at once.
   *
   * @param transaction the last known one
   * @throws MissedEditsException if the transaction after it was deleted from the log
   * @throws IOException if no NameNode answers or the log cannot be read now
   */
  EditBatch after(long transaction) throws IOException;
}
