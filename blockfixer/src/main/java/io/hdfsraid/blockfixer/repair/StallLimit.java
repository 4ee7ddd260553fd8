// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.PendingCalls;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Limits how long one DataNode may delay a repair. A socket timeout starts anew with each byte, so
 * a node that sends a byte now and then could hold a stripe, its memory and its worker for days.
 * With this limit each call to a DataNode (connecting, a row of bytes, the acknowledgement) ends
 * within the limit, if necessary with {@link SocketTimeoutException}, as if the node did not
 * answer. The repair is then planned around the node.
 *
 * <p>After a stall the node gets no new request for the duration of the limit. Thousands of units
 * may be on it, and each request would block a thread.
 *
 * <p>Time spent waiting for our own rate limits must not count, so this limit is applied below
 * them. Calls are ended by interrupting their thread, so they must react to interrupts, as Hadoop's
 * sockets do. Safe for concurrent use.
 */
public final class StallLimit implements AutoCloseable {
  private final Duration limit;
  private final ScheduledThreadPoolExecutor timer;

  private final PendingCalls underWay = new PendingCalls(System::nanoTime);

  /** Until when nodes get no requests, by uuid: a time of {@link System#nanoTime}. */
  private final Map<String, Long> avoided = new ConcurrentHashMap<>();

  /**
   * @param limit the limit for each call
   */
  public StallLimit(Duration limit) {
    this.limit = limit;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "raid-stall-limit");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Wraps DataNodes so that none of them stalls a reader. */
  public DataNodes reads(DataNodes dataNodes) {
    return new DataNodes() {
      @Override
      public BlockInput open(Block block, Replica replica, long offset, long length)
          throws IOException {
        DataNode node = replica.node();
        requireNoStall(node);
        BlockInput input =
            within(node, "opened", block, () -> dataNodes.open(block, replica, offset, length));
        return new BlockInput() {
          @Override
          public void readFully(ByteBuffer target) throws IOException {
            within(
                node,
                "gave",
                block,
                () -> {
                  input.readFully(target);
                  return null;
                });
          }

          @Override
          public void close() throws IOException {
            input.close();
          }
        };
      }

      @Override
      public int checksum(Block block, Replica replica) throws IOException {
        requireNoStall(replica.node());
        return within(
            replica.node(),
            "told the checksum of",
            block,
            () -> dataNodes.checksum(block, replica));
      }
    };
  }

  /** Wraps deliveries so that no target stalls the sender. */
  public BlockDelivery deliveries(BlockDelivery deliveries) {
    return (block, target, storageType) -> {
      requireNoStall(target);
      Delivery delivery =
          within(target, "took", block, () -> deliveries.open(block, target, storageType));
      return new Delivery() {
        @Override
        public void accept(ByteBuffer bytes) throws IOException {
          within(
              target,
              "took",
              block,
              () -> {
                delivery.accept(bytes);
                return null;
              });
        }

        @Override
        public void finish() throws IOException {
          within(
              target,
              "acknowledged",
              block,
              () -> {
                delivery.finish();
                return null;
              });
        }

        @Override
        public void close() throws IOException {
          delivery.close();
        }
      };
    };
  }

  /**
   * Whether a call has been waiting for this node for the given time, or the node has just stalled.
   * Cheap: it visits only the calls in flight.
   */
  public boolean isSlow(DataNode node, Duration after) {
    Long until = avoided.get(node.uuid());
    return (until != null && until - System.nanoTime() > 0) || underWay.anyWaits(node, after);
  }

  private void requireNoStall(DataNode node) throws SocketTimeoutException {
    Long until = avoided.get(node.uuid());
    if (until != null && until - System.nanoTime() > 0) {
      throw new SocketTimeoutException(
          "%s has just stalled; it gets no request for %s".formatted(node, limit));
    }
  }

  private interface Call<T> {
    T run() throws IOException;
  }

  private <T> T within(DataNode node, String what, Block block, Call<T> call) throws IOException {
    PendingCalls.Call begun = underWay.begin(node);
    Alarm alarm = new Alarm(Thread.currentThread());
    Future<?> set = timer.schedule(alarm::ring, limit.toNanos(), TimeUnit.NANOSECONDS);
    try {
      T answer = call.run();
      boolean unused = alarm.off(); // slightly late is good enough
      avoided.remove(node.uuid());
      return answer;
    } catch (IOException e) {
      boolean stalled = alarm.off();
      if (stalled || e instanceof SocketTimeoutException) {
        avoided.put(node.uuid(), System.nanoTime() + limit.toNanos());
      }
      if (stalled) {
        throw (IOException)
            new SocketTimeoutException(
                    "%s has not %s what was asked of %s within %s"
                        .formatted(node, what, block, limit))
                .initCause(e);
      }
      throw e;
    } finally {
      boolean unused = alarm.off();
      set.cancel(false);
      underWay.end(begun);
    }
  }

  /** Interrupts a thread, unless it has been switched off before. */
  private static final class Alarm {
    private final Thread sleeper;
    private boolean rang;
    private boolean off;

    Alarm(Thread sleeper) {
      this.sleeper = sleeper;
    }

    synchronized void ring() {
      if (!off) {
        rang = true;
        sleeper.interrupt();
      }
    }

    /**
     * Switches the alarm off. Called by the thread itself.
     *
     * @return whether the alarm rang
     */
    synchronized boolean off() {
      if (rang && !off) {
        // The interrupt was meant for this call and must not reach the next work of the thread.
        boolean unused = Thread.interrupted();
      }
      off = true;
      return rang;
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
