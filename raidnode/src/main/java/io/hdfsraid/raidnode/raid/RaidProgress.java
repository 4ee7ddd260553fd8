package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.stripe.EncodingTimes;

/** Hears how raiding a file goes on. Called from several threads. */
@FunctionalInterface
public interface RaidProgress {
  RaidProgress NONE = bytes -> {};

  /** So many more source bytes were encoded. */
  void encoded(long bytes);

  /** A stripe was encoded, and its parity closed, by a thread whose time went there. */
  default void spent(EncodingTimes times) {}
}
