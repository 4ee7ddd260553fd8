// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A few tasks that take turns with their peer. All tasks of a group run within a fraction of a
 * second in each round, so a disturbance of the machine hits them alike.
 *
 * @param peer what the others are compared with, if with anything; runs first in each round
 */
public record InterleavedTasks(Optional<Task> peer, List<Task> tasks) {
  private static final int MOST = 8;

  public InterleavedTasks {
    tasks = List.copyOf(tasks);
  }

  /** Divides tasks into as many groups as they need. Each group has the same peer. */
  public static List<InterleavedTasks> of(Optional<Task> peer, List<Task> tasks) {
    List<InterleavedTasks> groups = new ArrayList<>();
    for (int first = 0; first < tasks.size(); first += MOST) {
      groups.add(
          new InterleavedTasks(peer, tasks.subList(first, Math.min(first + MOST, tasks.size()))));
    }
    return groups;
  }

  Stream<Task> everybody() {
    return Stream.concat(peer.stream(), tasks.stream());
  }
}
