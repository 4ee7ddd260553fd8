package io.hdfsraid.offline.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rivals that take turns with their peer. Few, so that in each round all of them run within a
 * fraction of a second, and what else the machine does meets all alike.
 *
 * @param peer what the others are compared with, if with anything; runs first in each round
 */
record Heat(Optional<Rival> peer, List<Rival> rivals) {
  private static final int MOST = 8;

  Heat {
    rivals = List.copyOf(rivals);
  }

  /** As many heats as it takes, each with the same peer. */
  static List<Heat> of(Optional<Rival> peer, List<Rival> rivals) {
    List<Heat> heats = new ArrayList<>();
    for (int first = 0; first < rivals.size(); first += MOST) {
      heats.add(new Heat(peer, rivals.subList(first, Math.min(first + MOST, rivals.size()))));
    }
    return heats;
  }

  Stream<Rival> everybody() {
    return Stream.concat(peer.stream(), rivals.stream());
  }
}
