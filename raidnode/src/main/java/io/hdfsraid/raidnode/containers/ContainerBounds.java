// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.raidnode.traffic.Tuning;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** Bounds what all containers do together. Safe for concurrent use. */
public final class ContainerBounds {
  /** Each kind of work may have its share of the streams, so that none waits for the other. */
  private static final int KINDS = ContainerJobs.Kind.values().length;

  private final LongSupplier bytesPerSecond;
  private final IntSupplier streamsPerDataNode;
  private final Map<ContainerJobs.Kind, Integer> running = new ConcurrentHashMap<>();

  /**
   * @param bytesPerSecond of all containers together; may change at any time
   * @param streamsPerDataNode for all containers together; may change at any time
   */
  public ContainerBounds(LongSupplier bytesPerSecond, IntSupplier streamsPerDataNode) {
    this.bytesPerSecond = bytesPerSecond;
    this.streamsPerDataNode = streamsPerDataNode;
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
    long rate = bytesPerSecond.getAsLong();
    int now = running.values().stream().mapToInt(Integer::intValue).sum();
    return rate == Tuning.UNLIMITED
        ? Tuning.UNLIMITED
        : Math.max(1, rate / (now == 0 ? ifNoneRuns : now));
  }

  /**
   * Returns how many containers a new job may have so that the DataNodes have streams for all of
   * its kind. Each job has one.
   *
   * @param wanted as configured
   * @param dataNodes of the cluster
   * @param streams that each container has open at the same time
   * @param others containers that other jobs of the kind may have
   */
  int containers(int wanted, int dataNodes, int streams, int others) {
    long most = (long) dataNodes * streamsPerDataNode.getAsInt() / KINDS / streams - others;
    return (int) Math.min(wanted, Math.max(1, most));
  }
}
