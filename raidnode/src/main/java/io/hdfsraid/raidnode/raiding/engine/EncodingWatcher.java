// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import java.io.IOException;
import java.util.List;

/** Hears of the progress of an order, from the thread that waits for it. */
public interface EncodingWatcher {

  /** Containers of this application have encoded a stripe of the order, or more of them. */
  default void encodedIn(String application) {}

  /** So many more source bytes were read. */
  void read(long bytes);

  /**
   * A stripe was encoded, and its parity closed.
   *
   * @param stripe its position in the draft
   * @param distances how far each data unit was from its reader
   * @throws LeftAlone to end the order
   */
  void encoded(int stripe, EncodedStripe encoded, List<Distance> distances)
      throws IOException, LeftAlone;
}
