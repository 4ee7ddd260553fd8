// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import java.io.IOException;

/**
 * Computes the parity of drafts. An engine decides nothing: its caller has chosen the stripes and
 * the nodes, and proves afterwards what was written. Safe for concurrent use.
 */
public interface Engine {

  /**
   * Encodes all stripes of an order. When this returns, each unit is written and closed, and the
   * watcher has seen each stripe once, in any order. After a failure the caller discards the draft,
   * and nothing writes to it any more.
   *
   * @throws io.hdfsraid.drfs.stripe.UnitUnreadableException if no live replica of a data unit can
   *     be read
   * @throws LeftAlone if the watcher throws it
   */
  void encode(EncodingOrder order, EncodingWatcher watcher) throws IOException, LeftAlone;

  /**
   * Whether each stripe is encoded in the rack that holds most of its blocks. Then it pays to form
   * stripes of blocks that have replicas in the same rack.
   */
  boolean encodesNearData();
}
