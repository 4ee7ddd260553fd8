package io.hdfsraid.bench.measure;

import java.util.Optional;

/**
 * The speed of a task.
 *
 * @param rate amount per second, of each round
 * @param peer that of the peer it ran beside
 */
public record TaskSpeed(Samples rate, Optional<Peer> peer) {

  /** The other one, in the same rounds of the same group. */
  public record Peer(String name, Samples rate) {}
}
