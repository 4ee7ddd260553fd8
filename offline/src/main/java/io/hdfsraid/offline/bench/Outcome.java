package io.hdfsraid.offline.bench;

import java.util.Optional;

/**
 * How fast a rival was.
 *
 * @param rate amount per second, of each round
 * @param peer that of the peer it ran beside
 */
record Outcome(Samples rate, Optional<Peer> peer) {

  /** The other one, in the same rounds of the same heat. */
  record Peer(String name, Samples rate) {}
}
