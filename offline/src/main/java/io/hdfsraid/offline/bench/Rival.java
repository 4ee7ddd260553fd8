package io.hdfsraid.offline.bench;

import java.util.Optional;

/** Work that is done again and again, in turn with other work, to see how fast it is. */
interface Rival {
  /** Unique among the rivals of a race, except that a peer may run in several heats. */
  String name();

  /** How much one run does: bytes, plans, whatever is counted. */
  double amount();

  /** Called before each slice of runs, and not measured. */
  default void ready() {}

  /** Once. Must leave its result where {@link #fault} finds it. */
  void run();

  /** What is wrong with the result of the last run; empty when it is right. */
  Optional<String> fault();
}
