package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Bounds how long one DataNode may hold up a repair. A timeout of a socket begins anew with each
 * byte: a node that gives one now and then would hold a stripe, and the memory and the worker of
 * its repair, for days. Here each call to a DataNode (to connect, a row of bytes, the
 * acknowledgement) ends within the limit, with {@link SocketTimeoutException} if need be, as if the
 * node did not answer; the repair is then planned around it.
 *
 * <p>A node that has stalled is not asked anything new for as long again: thousands of units may be
 * on it, and each question would hold a thread.
 *
 * <p>Time that is spent waiting for our own rates and streams must not count: this goes below them.
 * Calls are ended by an interrupt of their thread, so they must heed one, as Hadoop's sockets do.
 * Safe for concurrent use.
 */
public final class StallLimit implements AutoCloseable {
  private final Duration limit;
  private final ScheduledThreadPoolExecutor timer;

  /** Calls that have not ended. */
  private final Set<UnderWay> underWay = ConcurrentHashMap.newKeySet();

  /** Until when nodes are not asked, by uuid: a point of {@link System#nanoTime}. */
  private final Map<String, Long> avoided = new ConcurrentHashMap<>();

  /**
   * @param limit for each call
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

  /** These DataNodes, none of which stalls a reader. */
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

  /** These deliveries, whose targets do not stall the sender. */
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
   * Whether somebody waits for this node for so long already, or has just waited for it in vain.
   * Safe to be asked often: only calls that have not ended are looked at.
   */
  public boolean isSlow(DataNode node, Duration after) {
    long now = System.nanoTime();
    Long until = avoided.get(node.uuid());
    return (until != null && until - now > 0)
        || underWay.stream()
            .anyMatch(call -> call.node.equals(node) && now - call.sinceNanos >= after.toNanos());
  }

  private void requireNoStall(DataNode node) throws SocketTimeoutException {
    Long until = avoided.get(node.uuid());
    if (until != null && until - System.nanoTime() > 0) {
      throw new SocketTimeoutException(
          "%s did not answer a moment ago, and is asked again after %s".formatted(node, limit));
    }
  }

  /** A call to a node; each is one of its own. */
  private static final class UnderWay {
    private final DataNode node;
    private final long sinceNanos;

    UnderWay(DataNode node, long sinceNanos) {
      this.node = node;
      this.sinceNanos = sinceNanos;
    }
  }

  private interface Call<T> {
    T run() throws IOException;
  }

  private <T> T within(DataNode node, String what, Block block, Call<T> call) throws IOException {
    UnderWay begun = new UnderWay(node, System.nanoTime());
    underWay.add(begun);
    Alarm alarm = new Alarm(Thread.currentThread());
    Future<?> set = timer.schedule(alarm::ring, limit.toNanos(), TimeUnit.NANOSECONDS);
    try {
      T answer = call.run();
      boolean unused = alarm.off(); // too late by a little is good enough
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
      underWay.remove(begun);
    }
  }

  /** Interrupts a thread, unless it has been switched off by then. */
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
     * Called by the thread itself.
     *
     * @return whether it rang
     */
    synchronized boolean off() {
      if (rang && !off) {
        // The interrupt was ours and must not hit what the thread does next.
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
