package io.hdfsraid.drfs.namespace;

import java.io.InterruptedIOException;

/** Asked before each call of the NameNode: bounds the load on it. Safe for concurrent use. */
public interface CallPermits {
  CallPermits UNLIMITED =
      new CallPermits() {
        @Override
        public void await(int calls) {}

        @Override
        public void count(int calls) {}
      };

  /**
   * Waits until so many calls that only look may be made.
   *
   * @throws InterruptedIOException when interrupted; the thread's flag is set
   */
  void await(int calls) throws InterruptedIOException;

  /**
   * Counts calls that change something, for which those that look will wait the longer. They never
   * wait themselves: between the last look at a file and the change it allows, no time may pass.
   */
  void count(int calls);
}
