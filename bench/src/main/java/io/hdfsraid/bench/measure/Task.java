// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

import java.util.Optional;

/** Work that runs again and again, in turn with other tasks, to measure its speed. */
public interface Task {
  /** Returns a name that is unique in a run; a peer may run in several groups. */
  String name();

  /** Returns the amount of work of one run, such as bytes or plans. */
  double amount();

  /** Prepares a slice of runs. It is not measured. */
  default void ready() {}

  /** Runs once, and leaves the result for {@link #fault}. */
  void run();

  /** Returns what is wrong with the result of the last run; empty if it is right. */
  Optional<String> fault();
}
