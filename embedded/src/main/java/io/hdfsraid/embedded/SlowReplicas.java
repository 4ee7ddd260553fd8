// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;

/**
 * A block whose replicas all DataNodes of this process send only after a delay, each time that they
 * are asked for bytes. Other blocks, and questions for checksums, are not delayed. One instance at
 * a time.
 */
public final class SlowReplicas extends DataNodeFaultInjector implements AutoCloseable {
  private final DataNodeFaultInjector before = DataNodeFaultInjector.get();
  private final AtomicLong delayed = new AtomicLong();
  private final String thread;
  private final Delay delay;

  /** Something that holds up a DataNode. */
  @FunctionalInterface
  public interface Delay {
    void await() throws InterruptedException;
  }

  /**
   * @param blockId of a replicated block, or of an internal block of a striped one
   */
  public SlowReplicas(long blockId, Duration delay) {
    this(blockId, () -> Thread.sleep(delay.toMillis()));
  }

  /**
   * @param blockId of a replicated block, or of an internal block of a striped one
   */
  public SlowReplicas(long blockId, Delay delay) {
    this.thread = "blk_" + blockId + "_";
    this.delay = delay;
    DataNodeFaultInjector.set(this);
  }

  /** Called before a block is sent; the name of the thread says which. */
  @Override
  public void throwTooManyOpenFiles() {
    if (Thread.currentThread().getName().contains(thread)) {
      delayed.incrementAndGet();
      try {
        delay.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the DataNode is being stopped
      }
    }
  }

  /** Returns how many reads were delayed so far. */
  public long delayed() {
    return delayed.get();
  }

  @Override
  public void close() {
    DataNodeFaultInjector.set(before);
  }
}
