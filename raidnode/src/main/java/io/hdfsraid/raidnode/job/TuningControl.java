// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.traffic.TransferListener;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.worker.ThreadPools;

/**
 * Applies the tuning to everything that obeys it: thread pools, traffic with DataNodes, moves and
 * calls of the NameNode. A change also reaches running work. Safe for concurrent use.
 */
public final class TuningControl implements AutoCloseable {
  private final ThreadPools pools;
  private final Traffic traffic;
  private final NameNodeCalls calls;
  private volatile Tuning tuning;

  /** Percent of the tuning's share that raiding may use now; guarded by this. */
  private int raidingPercent = 100;

  private volatile boolean repairsInBulk;

  TuningControl(
      Tuning tuning,
      ReaderLocation readerLocation,
      TransferListener transfers,
      NameNodeCalls calls) {
    this.tuning = tuning;
    this.pools = new ThreadPools(tuning);
    this.traffic = new Traffic(tuning, readerLocation, transfers);
    this.calls = calls;
    calls.set(tuning.nameNodeCallsPerSecond());
  }

  /** Replaces the tuning. */
  public synchronized void apply(Tuning changed) {
    tuning = changed;
    Tuning now = changed.raidingAt(raidingPercent);
    pools.resize(now);
    traffic.apply(now);
    calls.set(now.nameNodeCallsPerSecond());
  }

  /** Limits raiding to a percentage of its share; repairs and scrubs keep theirs. */
  synchronized void raidAt(int percent) {
    if (percent != raidingPercent) {
      raidingPercent = percent;
      apply(tuning);
    }
  }

  /** Notes whether so many repairs wait that containers should do them, if they do bulk work. */
  void repairInBulk(boolean bulk) {
    repairsInBulk = bulk;
  }

  /** Whether containers are to repair the stripes that are not at risk. */
  boolean repairsInContainers() {
    Tuning.Repairs which = tuning.containers().repair();
    return which == Tuning.Repairs.ALL || (which == Tuning.Repairs.IN_BULK && repairsInBulk);
  }

  /** Returns the tuning as it was last applied, with the full share of raiding. */
  public Tuning now() {
    return tuning;
  }

  /** Returns what carries all bytes between the daemon and DataNodes. */
  public Traffic traffic() {
    return traffic;
  }

  ThreadPools pools() {
    return pools;
  }

  @Override
  public void close() {
    pools.close();
  }
}
