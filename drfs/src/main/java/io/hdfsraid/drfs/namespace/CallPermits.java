// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.io.InterruptedIOException;

/** A rate limit on calls to the NameNode, asked before each call. Safe for concurrent use. */
public interface CallPermits {
  CallPermits UNLIMITED =
      new CallPermits() {
        @Override
        public void await(int calls) {}

        @Override
        public void count(int calls) {}
      };

  /**
   * Waits until the given number of read-only calls may be made.
   *
   * @throws InterruptedIOException if interrupted; the thread's interrupt flag is set
   */
  void await(int calls) throws InterruptedIOException;

  /**
   * Counts calls that change something. Such calls never wait, because no time may pass between the
   * last check of a file and the change that the check allows. Later read-only calls wait longer
   * instead.
   */
  void count(int calls);
}
