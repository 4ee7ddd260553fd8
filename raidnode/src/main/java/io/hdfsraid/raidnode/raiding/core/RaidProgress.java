// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.stripe.EncodingTimes;

/** Receives the progress of raiding a file. Called from several threads. */
@FunctionalInterface
public interface RaidProgress {
  RaidProgress NONE = bytes -> {};

  /** So many more source bytes were encoded. */
  void encoded(long bytes);

  /** Containers of this application of YARN have encoded a part of the file. */
  default void encodedIn(String application) {}

  /** A stripe was encoded, and its parity closed, by a thread whose time went there. */
  default void spent(EncodingTimes times) {}

  /** So many bytes of the source came from so far; called after each stripe. */
  default void read(Distance distance, long bytes) {}
}
