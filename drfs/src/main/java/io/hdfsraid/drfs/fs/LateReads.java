// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees readers that wait for a DataNode that has stopped to answer. HDFS's client waits for {@code
 * dfs.client.socket-timeout}, a minute by default, and several times. Here a read that is late is
 * interrupted, if there is another way to its bytes. HDFS's client ends at an interrupt and blames
 * no node. An interrupt by the application in the moment in which it ends is taken for ours. Safe
 * for concurrent use.
 */
final class LateReads implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LateReads.class);
  private static final int LOOKS = 4;

  /**
   * One clock for all clients of a process: a {@code FileContext} is never closed. It knows a
   * client only while this client reads.
   */
  private static final ScheduledExecutorService CLOCK = clock();

  private static final long CLOCK_IDLE_SECONDS = 60;

  private final long afterNanos;
  private final ExecutorService executor;
  private final long periodMillis;
  private final Set<Attempt> pending = ConcurrentHashMap.newKeySet();

  /** Whether a look is scheduled. */
  private final AtomicBoolean watching = new AtomicBoolean();

  private volatile boolean closed;

  /**
   * @param after how long a read may take before another way is looked for
   * @param executor reads in place of readers that cannot be interrupted
   */
  LateReads(Duration after, ExecutorService executor) {
    this.afterNanos = after.toNanos();
    this.executor = executor;
    this.periodMillis = Math.max(1, after.toMillis() / LOOKS);
  }

  /** Its thread ends when nobody reads, so that an application server can unload its class. */
  private static ScheduledExecutorService clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "degraded-read-clock");
              thread.setDaemon(true); // must not keep an application from exiting
              thread.setContextClassLoader(null);
              return thread;
            });
    clock.setKeepAliveTime(CLOCK_IDLE_SECONDS, TimeUnit.SECONDS);
    clock.allowCoreThreadTimeOut(true);
    return clock;
  }

  /** A read of the thread that began it. */
  final class Attempt {
    private final Thread reader = Thread.currentThread();
    private final long sinceNanos = System.nanoTime();
    private final Executor looking;
    private final BooleanSupplier otherWay;

    /** Set by the clock's thread only. */
    private boolean looked;

    // Both guarded by this.
    private boolean ended;
    private boolean interrupted;

    private Attempt(Executor looking, BooleanSupplier otherWay) {
      this.looking = looking;
      this.otherWay = otherWay;
    }

    /**
     * Ends the attempt, whatever has come of it, and takes the interrupt back. May be called again.
     *
     * @return whether the reader was interrupted because it was late
     */
    synchronized boolean end() {
      if (!ended) {
        pending.remove(this);
        ended = true;
        if (interrupted) {
          var unused = Thread.interrupted();
        }
      }
      return interrupted;
    }

    private synchronized void interrupt() {
      if (!ended) {
        interrupted = true;
        reader.interrupt();
      }
    }

    private boolean needsHelp() {
      return !looked && isLate(sinceNanos);
    }
  }

  /**
   * Begins a read of the calling thread, which ends it.
   *
   * @param looking calls {@code otherWay}, on behalf of the reader
   * @param otherWay called if the read is late: whether there is another way
   */
  Attempt begin(Executor looking, BooleanSupplier otherWay) {
    Attempt attempt = new Attempt(looking, otherWay);
    pending.add(attempt);
    if (!closed && watching.compareAndSet(false, true)) {
      lookLater();
    }
    return attempt;
  }

  /** A read that swallows interrupts. */
  interface Uninterruptible {
    int read() throws IOException;
  }

  /**
   * Has another thread read, which is left alone with it if the read is late. HDFS's own hedged
   * reads swallow interrupts.
   *
   * @param read into a buffer that nobody uses afterwards if this returns nothing
   * @param otherWay called if the read is late: whether there is another way
   * @return what was read; empty if the other way is to be taken
   * @throws InterruptedIOException if interrupted; the interrupt flag is set
   */
  OptionalInt elsewhere(Uninterruptible read, BooleanSupplier otherWay) throws IOException {
    Future<Integer> answer;
    try {
      answer = executor.submit(read::read);
    } catch (RejectedExecutionException e) {
      LOG.debug("No other thread reads", e);
      return OptionalInt.of(read.read());
    }
    try {
      try {
        return OptionalInt.of(answer.get(afterNanos, TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        boolean leave = !answer.isDone() && otherWay.getAsBoolean() && !answer.isDone();
        return leave ? OptionalInt.empty() : OptionalInt.of(answer.get());
      }
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw Interrupts.interrupted("reading", e);
    } catch (ExecutionException e) {
      throw Interrupts.failure(e, "reading");
    }
  }

  private void lookLater() {
    var unused = CLOCK.schedule(this::look, periodMillis, TimeUnit.MILLISECONDS);
  }

  private void look() {
    pending.stream().filter(Attempt::needsHelp).forEach(this::help);
    if (closed || pending.isEmpty()) {
      watching.set(false);
      if (closed || pending.isEmpty() || !watching.compareAndSet(false, true)) {
        return;
      }
    }
    lookLater();
  }

  private void help(Attempt attempt) {
    attempt.looked = true;
    try {
      attempt.looking.execute(
          () -> {
            try {
              if (attempt.otherWay.getAsBoolean()) {
                attempt.interrupt();
              }
            } catch (RuntimeException e) {
              LOG.warn("Another way was not found; a late reader goes on waiting", e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Nobody looks for another way; a late reader goes on waiting", e);
    }
  }

  /** Whether a read that began at this {@link System#nanoTime} is late by now. */
  boolean isLate(long sinceNanos) {
    return System.nanoTime() - sinceNanos >= afterNanos;
  }

  @Override
  public void close() {
    closed = true;
  }
}
