// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

import java.util.Optional;

/**
 * The speed of a task.
 *
 * @param rate amount per second, of each round
 * @param peer the speed of the peer that ran in turn with the task
 */
public record TaskSpeed(Samples rate, Optional<Peer> peer) {

  /** The peer, in the same rounds of the same group. */
  public record Peer(String name, Samples rate) {}
}
