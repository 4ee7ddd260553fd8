// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

/** A stopwatch for consecutive intervals. Used by one thread. */
final class Stopwatch {
  private long since = System.nanoTime();

  /** Returns the nanoseconds since the last call, or since construction. */
  long next() {
    long now = System.nanoTime();
    long lap = now - since;
    since = now;
    return lap;
  }
}
