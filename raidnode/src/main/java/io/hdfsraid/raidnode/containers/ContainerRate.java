// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.raidnode.traffic.Tuning;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Divides a rate among all containers that run, whatever they do. Safe for concurrent use. */
public final class ContainerRate {
  private final LongSupplier all;
  private final Map<ContainerJobs.Kind, Integer> running = new ConcurrentHashMap<>();

  /**
   * @param all bytes per second of all containers together; may change at any time
   */
  public ContainerRate(LongSupplier all) {
    this.all = all;
  }

  /** Notes how many containers of a kind run. */
  void run(ContainerJobs.Kind kind, int containers) {
    running.put(kind, containers);
  }

  /**
   * Returns what each may read and write in a second.
   *
   * @param ifNoneRuns for how many the rate has to last if none runs yet
   */
  long share(int ifNoneRuns) {
    long rate = all.getAsLong();
    int now = running.values().stream().mapToInt(Integer::intValue).sum();
    return rate == Tuning.UNLIMITED
        ? Tuning.UNLIMITED
        : Math.max(1, rate / (now == 0 ? ifNoneRuns : now));
  }
}
