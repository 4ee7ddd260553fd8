// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import java.io.InterruptedIOException;

/** Limits the rate at which the NameNode is called. Safe for concurrent use. */
@FunctionalInterface
public interface CallLimit {
  /**
   * Waits until the given number of calls may be made.
   *
   * @throws InterruptedIOException if interrupted; the thread's interrupt flag is set
   */
  void await(int calls) throws InterruptedIOException;
}
