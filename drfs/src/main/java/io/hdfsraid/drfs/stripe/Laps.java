package io.hdfsraid.drfs.stripe;

/** A stopwatch that is asked again and again. Used by one thread. */
final class Laps {
  private long since = System.nanoTime();

  /** Nanoseconds since the last call, or since it was made. */
  long next() {
    long now = System.nanoTime();
    long lap = now - since;
    since = now;
    return lap;
  }
}
