package io.hdfsraid.raidnode.recency;

import java.io.IOException;

/** The NameNode's log of transactions, as far as it tells others. One thread at a time. */
public interface EditLog {
  /**
   * The last transaction that has been written.
   *
   * @return -1 while no NameNode writes any, as in the middle of a failover
   */
  long newest() throws IOException;

  /**
   * The next ones, as many as the NameNode tells at once.
   *
   * @param transaction the last that is known
   * @throws MissedEditsException when the one after it is not there any more
   * @throws IOException when nobody answers, or the log cannot be read just now
   */
  Edits after(long transaction) throws IOException;
}
