// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Rebuilds units and sends them to their targets. An engine decides nothing: what it sends becomes
 * final only when its caller says so. Safe for concurrent use.
 */
public interface RepairEngine {

  /**
   * Rebuilds all lost units of a stripe in one pass, and sends each to its target, except for what
   * makes it final. Returns when the bytes sent have proven to be the recorded ones.
   *
   * @param bytesRead called with the number of bytes read from helpers; may be called before a
   *     failure
   * @throws io.hdfsraid.drfs.stripe.HelperLostException if no replica of a helper can be read
   * @throws TargetFailedException if a target does not take its unit
   * @throws io.hdfsraid.drfs.stripe.WrongContentException if a rebuilt unit differs from what was
   *     recorded
   */
  SentUnits send(RebuildOrder order, LongConsumer bytesRead) throws IOException;
}
